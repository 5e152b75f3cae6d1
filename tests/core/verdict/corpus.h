// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint tree in memory, made of real files of tests/data or of bytes, with times that a test chooses. It is
// listed, read and judged exactly like a tree on a node.
#pragma once

#include "core/checkpoint/inventory/inventory.h"
#include "core/verdict/read_plan.h"
#include "core/verdict/verdict.h"
#include "tests/core/checkpoint/local_files.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rankdeck::test {

inline constexpr std::int64_t second = 1'000'000'000;
inline constexpr std::int64_t epoch0 = 1'700'000'000 * second;  // time of the first event in a tree

class Corpus {
public:
    explicit Corpus(std::string root = "/job/ckpt");
    // A whole sample directory (below tests/data/mindspore) copied to the root; all files get this time.
    void copy(const std::string &sample, std::int64_t atSeconds = 0);
    // A directory below tests/data copied to a path below the root.
    void copyTree(const std::string &sample, const std::string &as, std::int64_t atSeconds = 0);
    void put(const std::string &path, std::string bytes, std::int64_t atSeconds = 0, unsigned mode = 0400);
    void remove(const std::string &path);
    void refuse(const std::string &path, const std::string &error);  // every read of this path fails with this error
    void touch(const std::string &path, std::int64_t atSeconds);
    void chmod(const std::string &path, unsigned mode);
    void makeDirectory(const std::string &path) { m_directories.insert(m_root + "/" + path); }
    std::string &bytes(const std::string &path);  // change them, then resize()
    void edit(const std::string &path, const std::function<void(std::string &)> &change);
    FileEntry &entry(const std::string &path) { return m_entries.at(m_root + "/" + path); }
    void addEntry(const FileEntry &e) { m_entries[e.path] = e; }

    [[nodiscard]] Listing listing() const;
    Evidence evidenceOf(const std::string &path) { return m_evidence.at(m_root + "/" + path).second; }
    CheckpointReport judge();        // reads what wantedEvidence asks for, until it asks for nothing
    CheckpointReport judgeAll();     // reads everything
    CheckpointReport judgeUnread();  // L0 only

    Job job;  // one node "n0" with the root as path, without ranks
    Expectation expected;
    int rounds = 0;
    std::uint64_t bytesRead() const { return m_files.bytesAsked; }
    Evidence evidenceOf(const Member &member) { return readAll(m_files, member.file, member.parts); }
    Inventory inventory;  // inventory of the last judge

private:
    CheckpointReport run(bool all, bool read);
    void expectNoOrderOfLaws(const CheckpointReport &report, const KnownEvidence &known) const;
    std::string m_root;
    MemoryFiles m_files;
    std::map<std::string, FileEntry> m_entries;
    std::set<std::string> m_directories;
    std::map<std::string, std::pair<FileStat, Evidence>>
        m_evidence;  // stat at the listing, and the evidence that was read
};

// "0:2-10 VALID; 0:1-5 INCOMPLETE rank_missing(2)": a report in one line, for comparison.
std::string summary(const CheckpointReport &report);
std::string summary(const CheckpointSet &set);
std::string states(const CheckpointSet &set);  // "ok ok torn ok"

}  // namespace rankdeck::test
