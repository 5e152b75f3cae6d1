// SPDX-License-Identifier: GPL-3.0-or-later
// Files that name the ranks with the same parameters: group_info.pb and strategy files, by rank. Pure.
#pragma once

#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/inventory/rank_locator.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

// A root that is listed only for its group files.
bool isForGroupsOnly(const Job &job, const std::string &root, const NodeSpec &node);

// A root that is listed only for its health record.
bool isForHealthOnly(const Job &job, const std::string &root, const NodeSpec &node);

class GroupFiles {
public:
    explicit GroupFiles(const Job &job) : m_job(job) {}
    // Takes the entry if it is such a file; the first of a rank counts.
    void takeGroupFile(const std::string &nodeName, const NodeSpec *node, const std::string &root,
                       const RankLocator &locator, const FileEntry &entry);
    void takeStrategyFile(const std::string &nodeName, const std::string &root, const RankLocator &locator,
                          const FileEntry &entry);
    [[nodiscard]] const std::vector<Member> &files() const { return m_files; }

private:
    const Job &m_job;
    std::vector<Member> m_files;
    std::set<int> m_seenGroups;
    std::set<std::pair<int, std::string>> m_seenStrategies;  // rank, or path if it has none
};

}  // namespace rankdeck
