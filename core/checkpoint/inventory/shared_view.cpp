// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/shared_view.h"

#include <map>
#include <set>
#include <string_view>

namespace rankdeck {
namespace {

using Files = std::map<std::string_view, const FileStat *>;

Files filesOf(const std::vector<NodeListing> &byNode, const std::string &node)
{
    Files out;
    for (const NodeListing &one : byNode) {
        if (one.node != node) continue;
        for (const FileEntry &entry : one.listing->entries)
            if (entry.stat.kind == 'f' && entry.stat.inode != 0 && entry.stat.size > 0)
                out.emplace(entry.path, &entry.stat);
    }
    return out;
}

bool areTheSame(const Files &a, const Files &b)
{
    std::size_t same = 0;
    for (const auto &[path, own] : a) {
        const auto other = b.find(path);
        if (other == b.end()) continue;
        if (other->second->inode != own->inode) return false;
        same += other->second->size == own->size && other->second->mtimeNs == own->mtimeNs ? 1 : 0;
    }
    const std::size_t fewer = a.size() < b.size() ? a.size() : b.size();
    return same > 0 && 10 * same >= 9 * fewer;
}

}  // namespace

bool seeTheSame(const std::vector<NodeListing> &byNode)
{
    std::set<std::string> nodes;
    for (const NodeListing &one : byNode) nodes.insert(one.node);
    if (nodes.size() < 2) return false;
    const Files first = filesOf(byNode, *nodes.begin());
    for (auto node = std::next(nodes.begin()); node != nodes.end(); ++node)
        if (!areTheSame(first, filesOf(byNode, *node))) return false;
    return true;
}

}  // namespace rankdeck
