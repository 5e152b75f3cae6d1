// SPDX-License-Identifier: GPL-3.0-or-later
// Answers a reader's requests from local files or from bytes in memory, as a node does. Also makes damaged copies.
#pragma once

#include "core/checkpoint/read/reader.h"
#include "core/node/protocol/messages.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck::test {

std::string readFile(const std::string &path);
std::string data(const std::string &name);  // bytes of tests/data/<name>

// A file in memory.
struct MemoryFile {
    std::string bytes;
    FileStat stat;
    std::uint64_t sparse = 0;  // claimed size beyond the bytes, which reads as zeros
    std::string error = {};    // error of every read; empty: reads succeed
};

class MemoryFiles {
public:
    FileEntry add(const std::string &path, std::string bytes, std::int64_t mtimeNs = 1'000'000'000'000'000'000,
                  unsigned mode = 0400);
    void answer(const ReadStep &step, ReadReplies &replies);
    MemoryFile &at(const std::string &path) { return m_files.at(path); }
    void erase(const std::string &path) { m_files.erase(path); }
    std::uint64_t bytesAsked = 0;
    int requests = 0;

private:
    RangeReply range(const RangeRequest &request) const;
    ScanReply skim(const ScanRequest &request) const;
    std::map<std::string, MemoryFile> m_files;
    std::uint64_t m_nextInode = 1;
};

// Reads one file to the level; checks that the reader ends after a few steps.
Evidence readAll(MemoryFiles &files, const FileEntry &file, EvidenceLevel wanted = EvidenceLevel::L3);
Evidence readAll(MemoryFiles &files, const FileEntry &file, const std::vector<FileEntry> &parts,
                 EvidenceLevel wanted = EvidenceLevel::L3);
Evidence readBytes(const std::string &bytes, const std::string &name = "lenet-1_10.ckpt",
                   EvidenceLevel wanted = EvidenceLevel::L3);

// Record boundaries of a MindSpore .ckpt, from 0 to the end of the last record.
std::vector<std::size_t> recordBoundaries(std::string_view bytes);
// One record as MindSpore writes it.
std::string record(std::string_view tag, std::string_view type, const std::vector<std::int64_t> &dims,
                   std::string_view content);
std::string int64Record(std::string_view tag, std::int64_t value);
std::string withCrc(std::string bytes);  // appends the crc_num trailer

}  // namespace rankdeck::test
