// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/reply_codec.h"

#include "core/node/protocol/wire.h"

#include <algorithm>
#include <cstring>

namespace rankdeck {

namespace {

constexpr std::size_t statBytes = 41;
constexpr std::uint32_t probeProtocol = 1;

Error broken(const char *what)
{
    return fail(ErrorKind::protocol, message("The probe's %1 cannot be read; the connection is closed.", what));
}

FileStat readStat(WireReader &reader)
{
    FileStat stat;
    stat.kind = static_cast<char>(reader.u8());
    stat.size = reader.u64();
    stat.mtimeNs = std::clamp(reader.i64(), -maxTimeNs, maxTimeNs);
    stat.mode = reader.u32();
    stat.uid = reader.u32();
    stat.device = reader.u64();
    stat.inode = reader.u64();
    if (std::strchr("fdlo", stat.kind) == nullptr || stat.kind == '\0' || stat.mode > 07777) reader.refuse();
    return stat;
}

FileEntry readEntry(WireReader &reader)
{
    FileEntry entry;
    entry.stat = readStat(reader);
    entry.path = reader.text();
    entry.linkTarget = reader.text();
    entry.error = reader.text();
    if (entry.path.empty()) reader.refuse();
    return entry;
}

bool readFlag(WireReader &reader)
{
    const std::uint8_t value = reader.u8();
    if (value > 1) reader.refuse();
    return value == 1;
}

// 0 no, 1 yes, 2 unknown.
Known readAnswer(WireReader &reader)
{
    const std::uint8_t value = reader.u8();
    if (value > 2) reader.refuse();
    return value == 2 ? Known::unknown : Known(value == 1);
}

// Sorts pointers first, because an entry is large and should be moved only once.
void sortByPath(std::vector<FileEntry> &entries)
{
    std::vector<FileEntry *> order;
    order.reserve(entries.size());
    for (FileEntry &entry : entries) order.push_back(&entry);
    std::sort(order.begin(), order.end(), [](const FileEntry *a, const FileEntry *b) { return a->path < b->path; });
    std::vector<FileEntry> sorted;
    sorted.reserve(order.size());
    for (FileEntry *entry : order) sorted.push_back(std::move(*entry));
    entries = std::move(sorted);
}

FileContent readContent(WireReader &reader, bool bytesWanted = true)
{
    FileContent content;
    content.bytes = reader.text();
    content.sha256 = reader.text();
    content.realPath = reader.text();
    content.stat = readStat(reader);
    content.owner = reader.text();
    content.writable = readFlag(reader);
    content.fileSystem = reader.text();
    content.freeBytes = reader.u64();
    if (bytesWanted || !content.sha256.empty() || !content.bytes.empty())
        if (content.sha256.size() != 64) reader.refuse();
    return content;
}

DiskSpace readRoom(WireReader &reader)
{
    DiskSpace room;
    room.directory = reader.text();
    room.stat = readStat(reader);
    room.exists = readFlag(reader);
    room.writable = readFlag(reader);
    room.fileSystem = reader.text();
    room.freeBytes = reader.u64();
    room.freeFiles = reader.u64();
    room.error = reader.text();
    return room;
}

RangeReply readRange(WireReader &reader)
{
    RangeReply range;
    range.stat = readStat(reader);
    range.offset = reader.u64();
    for (std::string_view piece = reader.blob(); !piece.empty(); piece = reader.blob()) range.bytes += piece;
    range.error = reader.text();
    if (!range.error.empty()) range.bytes.clear();
    return range;
}

ScanReply readSkim(WireReader &reader)
{
    ScanReply skim;
    skim.stat = readStat(reader);
    while (readFlag(reader)) {
        ScannedRecord record;
        record.offset = reader.u64();
        record.length = reader.u64();
        record.head = reader.text();
        if (record.head.size() > record.length) reader.refuse();
        skim.records.push_back(std::move(record));
    }
    skim.end = reader.u64();
    skim.error = reader.text();
    return skim;
}

ProcessInfo readProcess(WireReader &reader)
{
    ProcessInfo process;
    process.id.pid = static_cast<int>(reader.u32());
    process.id.startTicks = reader.u64();
    process.parent = static_cast<int>(reader.u32());
    process.group = static_cast<int>(reader.u32());
    process.session = static_cast<int>(reader.u32());
    process.uid = reader.u32();
    process.state = static_cast<char>(reader.u8());
    process.comm = reader.text();
    process.started = wallFromNs(reader.i64());
    const std::uint32_t words = reader.count(4);
    for (std::uint32_t word = 0; word < words && reader.ok(); ++word) process.argv.push_back(reader.text());
    process.envReadable = readFlag(reader);
    const std::uint32_t names = reader.count(8);
    for (std::uint32_t name = 0; name < names && reader.ok(); ++name) {
        std::string key = reader.text();
        process.env[std::move(key)] = reader.text();
    }
    process.cwd = reader.text();
    process.exe = reader.text();
    process.stdoutPath = reader.text();
    process.stderrPath = reader.text();
    process.user = reader.text();
    process.launchId = reader.text();
    const std::uint32_t open = reader.count(4);
    for (std::uint32_t path = 0; path < open && reader.ok(); ++path) process.openPaths.push_back(reader.text());
    const std::uint32_t feeders = reader.count(4);
    for (std::uint32_t each = 0; each < feeders && reader.ok(); ++each)
        process.feeders.push_back(static_cast<int>(reader.u32()));
    if (process.id.pid <= 0) reader.refuse();
    return process;
}

}  // namespace

Result<std::string_view> replyBody(std::string_view payload)
{
    WireReader reader(payload);
    const bool refused = readFlag(reader);
    if (!reader.ok()) return broken("reply");
    if (!refused) return payload.substr(1);
    const std::uint8_t kind = reader.u8();
    std::string message = reader.text();
    std::string detail = reader.text();
    if (!reader.finished() || kind > static_cast<std::uint8_t>(ErrorKind::internal)) return broken("error");
    return Error{static_cast<ErrorKind>(kind), std::move(message), std::move(detail)};
}

Result<Listing> decodeListing(std::string_view body, const std::string &root)
{
    WireReader reader(body);
    Listing listing;
    listing.root = root;
    while (readFlag(reader)) listing.entries.push_back(readEntry(reader));
    listing.truncated = readFlag(reader);
    listing.error = reader.text();
    if (!reader.finished()) return broken("listing");
    sortByPath(listing.entries);
    return listing;
}

Result<std::vector<RangeReply>> decodeRanges(std::string_view body, std::size_t asked)
{
    WireReader reader(body);
    std::vector<RangeReply> ranges;
    for (std::size_t index = 0; index < asked && reader.ok(); ++index) ranges.push_back(readRange(reader));
    if (!reader.finished()) return broken("ranges");
    return ranges;
}

Result<std::vector<ScanReply>> decodeSkims(std::string_view body, std::size_t asked)
{
    WireReader reader(body);
    std::vector<ScanReply> scans;
    for (std::size_t index = 0; index < asked && reader.ok(); ++index) scans.push_back(readSkim(reader));
    if (!reader.finished()) return broken("records");
    return scans;
}

Result<FileContent> decodeFileContent(std::string_view body)
{
    WireReader reader(body);
    FileContent content = readContent(reader, false);
    if (!reader.finished()) return broken("file");
    return content;
}

Result<ReplaceReply> decodeReplace(std::string_view body)
{
    WireReader reader(body);
    ReplaceReply reply;
    reply.replaced = readFlag(reader);
    reply.now = readContent(reader);
    if (!reader.finished()) return broken("answer to a replacement");
    return reply;
}

Result<std::vector<DiskSpace>> decodeRooms(std::string_view body, std::size_t asked)
{
    WireReader reader(body);
    std::vector<DiskSpace> rooms;
    for (std::size_t index = 0; index < asked && reader.ok(); ++index) rooms.push_back(readRoom(reader));
    if (!reader.finished()) return broken("answer about room");
    return rooms;
}

Result<Done> decodeDone(std::string_view body)
{
    if (!body.empty()) return broken("answer to a file action");
    return Done{};
}

Result<HashReply> decodeHash(std::string_view body, std::size_t spans)
{
    WireReader reader(body);
    HashReply reply;
    reply.sha256 = reader.text();
    const std::uint32_t count = reader.count(4);
    for (std::uint32_t i = 0; i < count; ++i) reply.crcs.push_back(reader.u32());
    reply.bytes = reader.u64();
    reply.stat = readStat(reader);
    if (!reader.finished() || reply.sha256.size() != 64 || reply.crcs.size() != spans) return broken("hash");
    return reply;
}

Result<ProcessList> decodeProcessList(std::string_view body)
{
    WireReader reader(body);
    const std::string boot = reader.text();
    ProcessList list{.bootId = boot, .complete = readFlag(reader)};
    const std::uint32_t count = reader.count(76);
    for (std::uint32_t index = 0; index < count && reader.ok(); ++index) {
        list.processes.push_back(readProcess(reader));
        list.processes.back().id.bootId = boot;
    }
    const std::uint32_t kills = reader.count(17);
    for (std::uint32_t kill = 0; kill < kills && reader.ok(); ++kill) {
        ProcessOomKill one{.pid = static_cast<int>(reader.u32()), .startTicks = reader.u64()};
        one.ofGroup = readFlag(reader);
        one.text = reader.text();
        list.oomKills.push_back(std::move(one));
    }
    const std::uint32_t exits = reader.count(16);
    for (std::uint32_t exit = 0; exit < exits && reader.ok(); ++exit) {
        ProcessExit one{.pid = static_cast<int>(reader.u32()), .startTicks = reader.u64()};
        one.code = static_cast<std::int32_t>(reader.u32());
        if (one.code < -127 || one.code > 255) return broken("process list");  // not a possible exit code
        list.exits.push_back(one);
    }
    if (!reader.finished()) return broken("process list");
    return list;
}

Result<std::vector<ProcessInfo>> decodeProcesses(std::string_view body)
{
    auto list = decodeProcessList(body);
    if (!list) return list.error();
    return std::move(list->processes);
}

Result<SignalReply> decodeSignal(std::string_view body)
{
    WireReader reader(body);
    SignalReply reply;
    reply.sent = readFlag(reader);
    reply.reason = reader.text();
    if (!reader.finished()) return broken("answer to a signal");
    return reply;
}

Result<LaunchReply> decodeLaunch(std::string_view body)
{
    WireReader reader(body);
    LaunchReply reply;
    reply.startedNow = readFlag(reader);
    reply.process.pid = static_cast<int>(reader.u32());
    reply.process.startTicks = reader.u64();
    reply.process.bootId = reader.text();
    const bool ended = readFlag(reader);
    const int code = static_cast<int>(reader.u32());
    const std::int64_t endedNs = reader.i64();
    if (ended) {
        reply.exitCode = code;
        reply.ended = wallFromNs(endedNs);
    }
    reply.bootId = reader.text();
    reply.running = readFlag(reader);
    if (!reader.finished() || reply.process.pid <= 1) return broken("answer to a launch");
    return reply;
}

Result<JobHolder> decodeJobHolder(std::string_view body)
{
    WireReader reader(body);
    JobHolder holder;
    holder.held = readAnswer(reader);
    holder.action = reader.text();
    holder.text = reader.text();
    if (const std::int64_t ns = reader.i64(); ns > 0) holder.since = wallFromNs(ns);
    holder.host = reader.text();
    ProcessId process;
    process.pid = static_cast<int>(reader.u32());
    process.startTicks = reader.u64();
    process.bootId = reader.text();
    if (process.pid > 1) holder.process = std::move(process);
    holder.reason = reader.text();
    holder.reserved = readFlag(reader);
    if (!reader.finished()) return broken("answer about a job");
    return holder;
}

Result<LogoutRule> decodeLogoutRule(std::string_view body)
{
    WireReader reader(body);
    LogoutRule rule;
    rule.endsLaunches = readAnswer(reader);
    rule.text = reader.text();
    if (!reader.finished()) return broken("answer about logging out");
    return rule;
}

Result<ProbeHello> decodeHello(std::string_view payload)
{
    WireReader reader(payload);
    ProbeHello hello;
    const std::uint32_t protocol = reader.u32();
    hello.facts.uid = reader.u32();
    hello.wallNs = reader.i64();
    hello.facts.hostName = reader.text();
    hello.facts.bootId = reader.text();
    hello.facts.python = reader.text();
    hello.facts.user = reader.text();
    if (!reader.finished() || protocol != probeProtocol) return broken("greeting");
    return hello;
}

Result<TailChunk> decodeTailChunk(std::string_view payload)
{
    WireReader reader(payload);
    TailChunk chunk;
    chunk.offset = reader.u64();
    chunk.next.device = reader.u64();
    chunk.next.inode = reader.u64();
    chunk.fileSize = reader.u64();
    chunk.next.tailHash = reader.text();
    chunk.bytes = reader.text();
    chunk.next.offset = chunk.offset + chunk.bytes.size();
    if (!reader.finished() || chunk.next.tailHash.size() != 64 || chunk.next.offset < chunk.offset)
        return broken("piece of a followed file");
    return chunk;
}

Result<TailEvent> decodeTailEvent(std::string_view payload)
{
    WireReader reader(payload);
    TailEvent event;
    const std::uint8_t change = reader.u8();
    event.from = reader.u64();
    event.to = reader.u64();
    event.stat = readStat(reader);
    event.text = reader.text();
    if (!reader.finished() || change > static_cast<std::uint8_t>(TailChange::unreadable))
        return broken("news of a followed file");
    event.change = static_cast<TailChange>(change);
    return event;
}

Result<DirectoryDelta> decodeDirectory(std::string_view payload)
{
    WireReader reader(payload);
    DirectoryDelta delta;
    delta.full = readFlag(reader);
    delta.truncated = readFlag(reader);
    delta.error = reader.text();
    const std::uint32_t removed = reader.count(4);
    for (std::uint32_t index = 0; index < removed && reader.ok(); ++index) delta.removed.push_back(reader.text());
    const std::uint32_t entries = reader.count(statBytes + 12);
    for (std::uint32_t index = 0; index < entries && reader.ok(); ++index) delta.entries.push_back(readEntry(reader));
    const std::uint64_t asOf = reader.u64();
    if (!reader.finished() || asOf > static_cast<std::uint64_t>(maxTimeNs)) return broken("directory");
    delta.asOfNs = static_cast<std::int64_t>(asOf);
    return delta;
}

}  // namespace rankdeck
