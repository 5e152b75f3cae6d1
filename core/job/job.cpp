// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job.h"

#include "core/job/text/job_keys.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace rankdeck {

// Place of each rank and each node, and the numbers of both for which it was made.
struct Job::Index {
    struct Place {
        std::size_t node = 0, position = 0;
    };
    int highest = -1;
    std::size_t nodes = 0, lastRanks = 0;
    std::unordered_map<int, Place> ranks = {};
    std::unordered_map<std::string, std::size_t> byName = {};
};

void Job::index()
{
    auto made = std::make_shared<Index>();
    made->nodes = nodes.size();
    made->lastRanks = nodes.empty() ? 0 : nodes.back().ranks.size();
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        made->byName.emplace(nodes[node].name, node);
        for (std::size_t position = 0; position < nodes[node].ranks.size(); ++position) {
            made->highest = std::max(made->highest, nodes[node].ranks[position]);
            made->ranks.emplace(nodes[node].ranks[position], Index::Place{node, position});
        }
    }
    m_index = std::move(made);
}

const Job::Index *Job::validIndex() const
{
    const bool same = m_index && m_index->nodes == nodes.size() &&
                      m_index->lastRanks == (nodes.empty() ? 0 : nodes.back().ranks.size());
    return same ? m_index.get() : nullptr;
}

int Job::ranks() const
{
    int highest = worldSize - 1;
    if (const Index *known = validIndex()) return std::max(highest, known->highest) + 1;
    for (const NodeSpec &node : nodes)
        for (int rank : node.ranks) highest = std::max(highest, rank);
    return highest + 1;
}

const NodeSpec *Job::nodeOf(int rank) const
{
    if (const Index *known = validIndex()) {
        const auto at = known->ranks.find(rank);
        if (at == known->ranks.end()) return nullptr;
        const NodeSpec &node = nodes[at->second.node];
        if (at->second.position < node.ranks.size() && node.ranks[at->second.position] == rank) return &node;
    }
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
    if (const Index *known = validIndex()) {
        const auto at = known->byName.find(node);
        if (at == known->byName.end()) return -1;
        if (nodes[at->second].name == node) return static_cast<int>(at->second);
    }
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
    static const std::vector<std::string> names = choicesOf(*jobKeyOf("launch.recipe"));
    return names;
}

const std::vector<std::string> &faultToleranceModes()
{
    static const std::vector<std::string> names{"TTP", "UCE", "HCCE", "ARF", "TRE", "TSP", "RSC"};
    return names;
}

}  // namespace rankdeck
