// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/group_files.h"

#include "core/base/text.h"
#include "core/checkpoint/listing_tree.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t maxGroupFiles = 100'000;

}  // namespace

bool isForGroupsOnly(const Job &job, const std::string &root, const NodeSpec &node)
{
    const auto groups = groupInfoRoot(job, node);
    if (!groups || groups->root != root) return false;
    Job plain = job;
    plain.launch.env.clear();
    const std::vector<ListRequest> roots = checkpointRoots(plain, node);
    return std::none_of(roots.begin(), roots.end(), [&](const ListRequest &own) { return own.root == root; });
}

bool isForHealthOnly(const Job &job, const std::string &root, const NodeSpec &node)
{
    const auto health = healthRecordRoot(job, node);
    if (!health || health->root != root) return false;
    const auto roots = checkpointRoots(job, node);
    // The last root is the extra one, unless another root covers its directory or is deeper in it.
    return roots.back().root == root && roots.back().depth == 1;
}

// <run>/device3/group_info.pb, or in the rank's folder. On a node with separate disks, the number may be that of the
// node's card.
void GroupFiles::takeGroupFile(const std::string &nodeName, const NodeSpec *node, const std::string &root,
                               const RankLocator &locator, const FileEntry &entry)
{
    if (entry.stat.kind != 'f' || baseName(entry.path) != groupInfoName || leavesRoot(entry, root)) return;
    std::optional<int> rank = locator.rankOfDirectory(dirName(entry.path), root);
    const std::string folder = baseName(dirName(entry.path));
    if (const auto device = folder.compare(0, 6, "device") == 0 ? decimal(folder.substr(6)) : std::nullopt;
        !rank && device && *device < 1'000'000)
        rank = static_cast<int>(*device);
    if (!rank || m_files.size() >= maxGroupFiles) return;
    if (node && !m_job.pathsShared && !node->ranks.empty() &&
        std::find(node->ranks.begin(), node->ranks.end(), *rank) == node->ranks.end()) {
        if (std::size_t(*rank) >= node->ranks.size()) return;
        rank = node->ranks[std::size_t(*rank)];
    }
    if (!m_seenGroups.insert(*rank).second) return;
    Member member;
    member.rank = *rank;
    member.node = nodeName;
    member.file = entry;
    m_files.push_back(std::move(member));
}

// A file such as ckpt_strategy_rank_3.ckpt describes how the parameters are cut, which shows the ranks that hold the
// same parameters. Without a rank in its name, the file describes a whole stage.
void GroupFiles::takeStrategyFile(const std::string &nodeName, const std::string &root, const RankLocator &locator,
                                  const FileEntry &entry)
{
    const std::string base = baseName(entry.path);
    const std::size_t end = base.size() > 5 ? base.size() - 5 : 0;
    if (entry.stat.kind != 'f' || leavesRoot(entry, root) || base.compare(end, 5, ".ckpt") != 0 ||
        base.find("strategy") == std::string::npos || m_files.size() >= maxGroupFiles)
        return;
    const std::size_t digits = base.find_last_not_of("0123456789", end - 1) + 1;
    const auto named = digits >= 6 && base.compare(digits - 6, 6, "_rank_") == 0
                           ? decimal(std::string_view(base).substr(digits, end - digits))
                           : std::nullopt;
    Member member;
    if (named && *named < 1'000'000) member.rank = static_cast<int>(*named);
    if (const auto rank = locator.rankOfDirectory(dirName(entry.path), root); !named && rank) member.rank = *rank;
    if (!m_seenStrategies.insert({member.rank, member.rank < 0 ? entry.path : std::string()}).second) return;
    member.node = nodeName;
    member.file = entry;
    m_files.push_back(std::move(member));
}

}  // namespace rankdeck
