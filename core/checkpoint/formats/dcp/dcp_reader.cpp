// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/dcp_reader.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/codec/zip_directory.h"
#include "core/checkpoint/formats/torch/torch_identity.h"
#include "core/checkpoint/formats/torch/torch_numbers.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr const char *markName = ".metadata";
constexpr std::uint32_t markBytes = 8u << 20;
constexpr std::size_t markPieces = 8;  // 64 MiB in all
constexpr std::size_t maxNumbers = 16;
constexpr std::uint64_t numberBytes = 8192, commonBytes = 1u << 20;
constexpr std::size_t maxFiles = 100000;

std::string lastPart(const std::string &name) { return name.substr(name.rfind('.') + 1); }

bool isNumberName(const std::string &name)
{
    const std::string last = lastPart(name);
    return last == "step" || last == "global_step" || last == "iteration" || last == "epoch";
}

// Where newer Megatron keeps what is not sharded.
bool isCommonState(const std::string &name) { return name == "common_state" || name.rfind("common_state/", 0) == 0; }

// An item is a small torch zip.
std::optional<Pickle> pickleIn(const std::string &item)
{
    const auto end = parseZipEnd(item, item.size());
    if (!end) return std::nullopt;
    const auto entries = parseZipDirectory(
        std::string_view(item).substr(std::size_t(end->directory), std::size_t(end->directoryBytes)), end->entries);
    if (!entries) return std::nullopt;
    for (const ZipEntry &entry : *entries) {
        if (entry.name.size() < 9 || entry.name.substr(entry.name.size() - 9) != "/data.pkl" ||
            entry.local > item.size())
            continue;
        const auto data = zipDataOffset(std::string_view(item).substr(std::size_t(entry.local)), entry.local);
        if (!data || *data > item.size() || entry.bytes > item.size() - *data) return std::nullopt;
        auto pickle = Pickle::parse(std::string_view(item).substr(std::size_t(*data), std::size_t(entry.bytes)));
        return pickle ? std::optional(std::move(pickle).value()) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

DcpReader::DcpReader(const FileEntry &whole, const std::vector<FileEntry> &files, EvidenceLevel wanted)
    : m_wanted(wanted)
{
    m_evidence.path = whole.path;
    m_evidence.stat = whole.stat;
    m_evidence.format = Format::dcp;
    for (const FileEntry &file : files)
        if (dirName(file.path) == whole.path) m_listed[baseName(file.path)] = file.stat;
}

void DcpReader::torn(std::string code, std::string text)
{
    m_evidence.complete = false;
    problem(std::move(code), std::move(text));
}

void DcpReader::problem(std::string code, std::string text)
{
    if (m_evidence.problems.size() < 100) m_evidence.problems.push_back({std::move(code), 0, std::move(text)});
}

ReadStep DcpReader::advance(const ReadReplies &replies)
{
    for (const RangeReply &reply : replies.ranges) m_evidence.bytesRead += reply.bytes.size();
    ReadStep step;
    switch (m_phase) {
    case Phase::begin:
        m_phase = listed(markName) ? Phase::mark : Phase::done;
        if (m_phase == Phase::mark)
            step = askMark();
        else
            withoutMark();
        break;
    case Phase::mark:
        m_phase = Phase::shards;
        step = withMark(replies);
        break;
    case Phase::shards:
        m_phase = Phase::values;
        step = withShards(replies);
        break;
    case Phase::values:
        m_phase = Phase::done;
        withValues(replies);
        break;
    case Phase::done: break;
    }
    if (!step.done()) ++m_evidence.roundTrips;
    return step;
}

// Without collectives each rank writes a mark of its own; nothing says how many there should be.
void DcpReader::withoutMark()
{
    m_evidence.level = EvidenceLevel::L1;
    for (const auto &[name, stat] : m_listed)
        if (name.compare(0, 2, "__") == 0 && name.size() > 9 && name.compare(name.size() - 9, 9, markName) == 0) {
            problem("metadata_per_rank", "each rank wrote a mark of its own, " + printable(name) +
                                             " first, and there is none of all: not judged");
            return;
        }
    torn("commit_missing", m_listed.count(".metadata.tmp") != 0
                               ? "only .metadata.tmp and no .metadata: the save never came to its end"
                               : "no .metadata: the save never came to its end");
}

ReadStep DcpReader::askMark() const
{
    std::uint64_t pieces = markPieces;
    if (const auto mark = m_listed.find(markName); mark != m_listed.end())
        pieces = std::clamp<std::uint64_t>((mark->second.size + markBytes - 1) / markBytes, 1, markPieces);
    ReadStep step;
    for (std::uint64_t i = 0; i < pieces; ++i)
        step.ranges.push_back({joinPath(m_evidence.path, markName), i * markBytes, markBytes});
    return step;
}

ReadStep DcpReader::withMark(const ReadReplies &replies)
{
    if (replies.ranges.empty()) return {};
    const std::string &error = replies.ranges.front().error;
    m_evidence.level = EvidenceLevel::L1;
    if (error.find("No such file") != std::string::npos) {
        withoutMark();
        return {};
    }
    if (!error.empty()) {
        m_evidence.level = EvidenceLevel::L0;
        problem("unreadable", ".metadata could not be read: " + error);
        return {};
    }
    const std::string bytes = replies.joined();
    m_markTime = replies.ranges.front().stat.mtimeNs;
    if (bytes.size() < replies.ranges.front().stat.size) {
        problem("metadata_too_large", ".metadata has " + bytesText(replies.ranges.front().stat.size) + ", at most " +
                                          bytesText(markPieces * markBytes) + " are read");
        return {};
    }
    if (!takeMark(bytes)) return {};
    compareListing();
    return askShards();
}

bool DcpReader::takeMark(const std::string &bytes)
{
    Result<DcpMetadata> parsed = parseDcpMetadata(bytes);
    if (!parsed) {
        if (parsed.error().kind == ErrorKind::unsupported)
            problem("metadata_too_large", ".metadata: " + parsed.error().message);
        else
            torn(parsed.error().kind == ErrorKind::refused ? "path_refused" : "torn",
                 ".metadata: " + parsed.error().message);
        return false;
    }
    m_metadata = std::move(parsed).value();
    for (const std::string &name : m_metadata.dangerous)
        problem("dangerous_pickle",
                ".metadata names " + printable(name) + ", which torch.distributed.checkpoint would run");
    m_evidence.tensors = TensorList(m_metadata.tensors);
    if (!m_metadata.saveId.empty()) m_evidence.meta["save_id"] = m_metadata.saveId;
    if (m_metadata.needsPython313) m_evidence.meta["needs_python"] = "3.13";
    const bool optimizer = std::any_of(m_metadata.items.begin(), m_metadata.items.end(),
                                       [](const DcpItem &item) { return mentionsOptimizer(item.name); });
    if (!optimizer) m_evidence.meta["holds"] = "weights";
    return true;
}

// Shards that .metadata does not name were left by another save, a larger world as a rule.
void DcpReader::compareListing()
{
    std::size_t leftovers = 0;
    std::string first;
    for (const auto &[name, stat] : m_listed) {
        const bool shard = name.size() > 7 && name.compare(name.size() - 7, 7, ".distcp") == 0;
        if (!shard || m_metadata.fileBytes.count(name) != 0) continue;
        if (leftovers++ == 0) first = name;
    }
    if (leftovers > 0)
        problem("leftover",
                printable(first) +
                    (leftovers > 1 ? " and " + grouped(std::int64_t(leftovers) - 1) + " more shards are" : " is") +
                    " not named in .metadata: left by another save");
}

ReadStep DcpReader::askShards()
{
    ReadStep step;
    DcpMetadata here = m_metadata;
    const auto absent = [this](const DcpItem &item) { return !listed(item.file); };
    here.items.erase(std::remove_if(here.items.begin(), here.items.end(), absent), here.items.end());
    for (const auto &[file, size] : m_metadata.fileBytes) {
        if (!listed(file)) {
            torn("shard_missing", printable(file) + " is missing");
            continue;
        }
        if (m_files.size() >= maxFiles) break;
        m_files.push_back(file);
        step.ranges.push_back({joinPath(m_evidence.path, file), 22, 22, true});
    }
    for (const DcpItem &item : here.items) {
        const bool common = isCommonState(item.name) && item.length <= commonBytes;
        const bool number = isNumberName(item.name) && item.length <= numberBytes;
        if (isCommonState(item.name)) m_evidence.meta["common_state"] = "yes";
        if ((!common && !number) || m_numbers.size() >= maxNumbers) continue;
        m_numbers.push_back(item);
        step.ranges.push_back(
            {joinPath(m_evidence.path, item.file), item.offset, static_cast<std::uint32_t>(item.length)});
    }
    if (m_metadata.fileBytes.empty()) torn("torn", ".metadata names no file");
    if (m_wanted >= EvidenceLevel::L3) m_sample = DcpSample(here, m_evidence.path);
    for (RangeRequest &frame : m_sample.frames()) step.ranges.push_back(std::move(frame));
    return step;
}

void DcpReader::takeShard(const std::string &name, const RangeReply &reply)
{
    const std::uint64_t wanted = m_metadata.fileBytes[name];
    if (reply.error.find("No such file") != std::string::npos)
        torn("shard_missing", printable(name) + " is missing");
    else if (!reply.error.empty())
        m_unreadable = m_unreadable.empty() ? printable(name) + " could not be read: " + reply.error : m_unreadable;
    else if (reply.stat.size != wanted)
        torn("size_mismatch", printable(name) + " has " + grouped(std::int64_t(reply.stat.size)) +
                                  " bytes, .metadata says " + grouped(std::int64_t(wanted)));
    else if (reply.stat.mtimeNs > m_markTime)
        torn("commit_stale",
             printable(name) + " is newer than .metadata: a later save into this directory never came to its end");
    else if (reply.bytes.substr(0, 4) != "PK\x05\x06")
        torn("torn", printable(name) + " does not end as a whole item does");
}

void DcpReader::takeNumber(const DcpItem &item, const std::string &bytes)
{
    const auto pickle = pickleIn(bytes);
    if (!pickle) return;
    if (isCommonState(item.name))
        takeTorchNumbers(*pickle, m_evidence.meta);
    else if (pickle->root().kind == Pickle::Kind::integer)
        m_evidence.meta.emplace(lastPart(item.name) == "epoch" ? "epoch" : "global_step",
                                std::to_string(pickle->root().integer));
}

ReadStep DcpReader::withShards(const ReadReplies &replies)
{
    const std::size_t own = m_files.size() + m_numbers.size();
    if (replies.ranges.size() < own) return {};
    for (std::size_t i = 0; i < m_files.size(); ++i) takeShard(m_files[i], replies.ranges[i]);
    m_sample.takeFrames({replies.ranges.begin() + std::ptrdiff_t(own), replies.ranges.end()});
    if (m_evidence.complete == false) return {};
    if (!m_unreadable.empty()) {
        problem("unreadable", m_unreadable);
        return {};
    }
    if (m_sample.broken()) {
        torn("torn", *m_sample.broken());
        return {};
    }
    m_evidence.complete = true;
    m_evidence.level = EvidenceLevel::L2;
    for (std::size_t i = 0; i < m_numbers.size(); ++i)
        takeNumber(m_numbers[i], replies.ranges[m_files.size() + i].bytes);
    if (m_metadata.needsPython313)
        problem("needs_python", ".metadata was written by Python 3.13 or newer: an older interpreter cannot read it");
    if (m_wanted < EvidenceLevel::L3) return {};
    ReadStep step;
    step.ranges = m_sample.windows();
    if (step.done()) m_evidence.level = EvidenceLevel::L3;
    return step;
}

void DcpReader::withValues(const ReadReplies &replies)
{
    m_sample.takeWindows(replies.ranges);
    m_evidence.level = EvidenceLevel::L3;
    if (m_sample.nonFinite()) {
        m_evidence.nonFiniteSeen = true;
        problem("nan_weights", *m_sample.nonFinite());
    }
    if (m_sample.zeros()) problem("zero_region", *m_sample.zeros());
}

}  // namespace rankdeck
