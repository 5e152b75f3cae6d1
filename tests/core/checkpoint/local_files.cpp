// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/local_files.h"
#include "tests/testbed/paths.h"

#include "core/checkpoint/codec/bytes.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace rankdeck::test {

std::string readFile(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("no file " + path);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

std::string data(const std::string &name) { return readFile(testData() + "/" + name); }

FileEntry MemoryFiles::add(const std::string &path, std::string bytes, std::int64_t mtimeNs, unsigned mode)
{
    MemoryFile file;
    file.stat.size = bytes.size();
    file.stat.mtimeNs = mtimeNs;
    file.stat.mode = mode;
    file.stat.inode = m_nextInode++;
    file.bytes = std::move(bytes);
    FileEntry entry{path, file.stat};
    m_files[path] = std::move(file);
    return entry;
}

RangeReply MemoryFiles::range(const RangeRequest &request) const
{
    RangeReply reply;
    const auto found = m_files.find(request.path);
    if (found == m_files.end()) {
        reply.error = "No such file or directory";
        return reply;
    }
    const MemoryFile &file = found->second;
    reply.error = file.error;
    if (!file.error.empty()) return reply;
    const std::uint64_t size = file.stat.size;
    reply.stat = file.stat;
    reply.offset = request.fromEnd ? size - std::min<std::uint64_t>(size, request.offset) : request.offset;
    if (reply.offset >= size) return reply;
    const std::uint64_t length = std::min<std::uint64_t>(request.length, size - reply.offset);
    if (reply.offset < file.bytes.size())
        reply.bytes = file.bytes.substr(std::size_t(reply.offset), std::size_t(length));
    reply.bytes.resize(std::size_t(length), '\0');
    return reply;
}

ScanReply MemoryFiles::skim(const ScanRequest &request) const
{
    ScanReply reply;
    const auto found = m_files.find(request.path);
    if (found == m_files.end()) {
        reply.error = "No such file or directory";
        return reply;
    }
    const MemoryFile &file = found->second;
    reply.stat = file.stat;
    reply.end = request.offset;
    while (reply.records.size() < request.maxRecords && reply.end < file.stat.size) {
        const RangeReply head = range({request.path, reply.end, std::max<std::uint32_t>(request.headBytes, 11)});
        std::size_t at = 1;
        if (head.bytes.empty() || static_cast<unsigned char>(head.bytes[0]) != request.lead) break;
        const auto payload = varint(head.bytes, at);
        if (!payload || *payload > file.stat.size || reply.end + at + *payload > file.stat.size) break;
        const std::uint64_t length = at + *payload;
        reply.records.push_back(
            {reply.end, length, head.bytes.substr(0, std::min<std::uint64_t>(request.headBytes, length))});
        reply.end += length;
    }
    return reply;
}

void MemoryFiles::answer(const ReadStep &step, ReadReplies &replies)
{
    ++requests;
    for (const RangeRequest &request : step.ranges) {
        EXPECT_LE(request.length, 8u << 20);
        replies.ranges.push_back(range(request));
        bytesAsked += replies.ranges.back().bytes.size();
    }
    for (const ScanRequest &request : step.scans) {
        replies.scans.push_back(skim(request));
        for (const ScannedRecord &r : replies.scans.back().records) bytesAsked += r.head.size();
    }
}

Evidence readAll(MemoryFiles &files, const FileEntry &file, EvidenceLevel wanted)
{
    return readAll(files, file, {}, wanted);
}

Evidence readAll(MemoryFiles &files, const FileEntry &file, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const auto reader = makeReader(file, parts, wanted);
    ReadStep step = reader->advance({});
    int steps = 0;
    while (!step.done()) {
        if (++steps > 80) {
            ADD_FAILURE() << "the reader of " << file.path << " does not end";
            break;
        }
        ReadReplies replies;
        files.answer(step, replies);
        step = reader->advance(replies);
    }
    return reader->evidence();
}

Evidence readBytes(const std::string &bytes, const std::string &name, EvidenceLevel wanted)
{
    MemoryFiles files;
    const FileEntry entry = files.add("/ckpt/" + name, bytes);
    return readAll(files, entry, wanted);
}

std::vector<std::size_t> recordBoundaries(std::string_view bytes)
{
    std::vector<std::size_t> all{0};
    while (all.back() < bytes.size() && bytes[all.back()] == 0x0a) {
        std::size_t at = all.back() + 1;
        const auto payload = varint(bytes, at);
        if (!payload || at + *payload > bytes.size()) break;
        all.push_back(at + *payload);
    }
    return all;
}

namespace {

std::string varintText(std::uint64_t value)
{
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7f));
    return out + static_cast<char>(value);
}

std::string field(char lead, std::string_view payload)
{
    return lead + varintText(payload.size()) + std::string(payload);
}

}  // namespace

std::string record(std::string_view tag, std::string_view type, const std::vector<std::int64_t> &dims,
                   std::string_view content)
{
    std::string tensor;
    for (const std::int64_t dim : dims) tensor += '\x08' + varintText(static_cast<std::uint64_t>(dim));
    tensor += field('\x12', type) + field('\x1a', content);
    return field('\x0a', field('\x0a', tag) + field('\x12', tensor));
}

std::string int64Record(std::string_view tag, std::int64_t value)
{
    std::string content;
    for (int i = 0; i < 8; ++i) content += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    return record(tag, "Int64", {}, content);
}

std::string withCrc(std::string bytes)
{
    const auto crc = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef *>(bytes.data()), static_cast<uInt>(bytes.size())));
    bytes += "crc_num" + std::string(6, '\0');
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(crc >> shift);
    return bytes;
}

}  // namespace rankdeck::test
