// SPDX-License-Identifier: GPL-3.0-or-later
// Files that say which ranks hold the same: group_info.pb and strategy files, by rank. Pure.
#pragma once

#include "core/checkpoint/inventory/inventory.h"
#include "core/checkpoint/inventory/rank_locator.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

// Of a root that is listed for its group files and nothing else.
bool isForGroupsOnly(const Job &job, const std::string &root, const NodeSpec &node);

// … for the record of health that lies in it.
bool isForHealthOnly(const Job &job, const std::string &root, const NodeSpec &node);

class GroupFiles {
public:
    explicit GroupFiles(const Job &job) : m_job(job) {}
    // Takes the entry when it is one; the first of a rank counts.
    void takeGroupFile(const std::string &nodeName, const NodeSpec *node, const std::string &root,
                       const RankLocator &locator, const FileEntry &entry);
    void takeStrategyFile(const std::string &nodeName, const std::string &root, const RankLocator &locator,
                          const FileEntry &entry);
    [[nodiscard]] const std::vector<Member> &files() const { return m_files; }

private:
    const Job &m_job;
    std::vector<Member> m_files;
    std::set<int> m_seenGroups;
    std::set<std::pair<int, std::string>> m_seenStrategies;  // rank, path where it has none
};

}  // namespace rankdeck
