// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job.h"

#include <algorithm>
#include <iterator>

namespace rankdeck {

int Job::ranks() const
{
    int highest = worldSize - 1;
    for (const NodeSpec &node : nodes)
        for (int rank : node.ranks) highest = std::max(highest, rank);
    return highest + 1;
}

const NodeSpec *Job::nodeOf(int rank) const
{
    for (const NodeSpec &node : nodes)
        if (std::find(node.ranks.begin(), node.ranks.end(), rank) != node.ranks.end()) return &node;
    return nullptr;
}

std::vector<std::vector<int>> Job::replicaGroups() const
{
    const CheckpointSpec &spec = checkpoints;
    std::vector<std::vector<int>> groups = spec.replicaGroups;
    if (spec.replicasAreAll || (groups.empty() && spec.savedBy == SavedBy::rank0)) {
        groups.assign(1, {});
        for (int rank = 0; rank < ranks(); ++rank) groups.front().push_back(rank);
    } else if (groups.empty() && spec.savedBy == SavedBy::firstOfNode) {
        for (const NodeSpec &node : nodes)
            if (!node.ranks.empty()) groups.push_back(node.ranks);
    }
    return groups;
}

int Job::nodeIndex(const std::string &node) const
{
    const auto at = std::find_if(nodes.begin(), nodes.end(), [&](const NodeSpec &spec) { return spec.name == node; });
    return at == nodes.end() ? -1 : static_cast<int>(std::distance(nodes.begin(), at));
}

const char *savedByName(SavedBy by)
{
    switch (by) {
    case SavedBy::everyRank: break;
    case SavedBy::firstOfNode: return "first_of_node";
    case SavedBy::rank0: return "rank0";
    }
    return "every_rank";
}

const std::vector<std::string> &launchRecipes()
{
    static const std::vector<std::string> names{"msrun", "command", "torchrun", "slurm", "volcano"};
    return names;
}

const std::vector<std::string> &faultToleranceModes()
{
    static const std::vector<std::string> names{"TTP", "UCE", "HCCE", "ARF", "TRE", "TSP", "RSC"};
    return names;
}

}  // namespace rankdeck
