// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of ranks are found in any order. A thousand lost nodes are reported, each with its own ranks.
#include "core/alarm/rules.h"

#include <gtest/gtest.h>

namespace rankdeck::node_finder_test {
namespace {

std::vector<NodeStatus> nodes(int count, NodeState state)
{
    std::vector<NodeStatus> all(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        all[static_cast<std::size_t>(i)].name = "n" + std::to_string(i);
        all[static_cast<std::size_t>(i)].state = state;
    }
    return all;
}

TEST(NodeFinder, FindsNodesInAnyOrder)
{
    const SharedVector<NodeStatus> all(nodes(50, NodeState::live));
    alarm::NodeFinder finder(all);
    for (const int wanted : {0, 0, 1, 2, 30, 31, 29, 49, 0, 7}) {
        const NodeStatus *found = finder.find("n" + std::to_string(wanted));
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->name, "n" + std::to_string(wanted));
    }
    EXPECT_EQ(finder.find("another"), nullptr);
    EXPECT_TRUE(finder.answers("another")) << "nobody has heard of it, so nobody knows it to be silent";
}

TEST(NodeFinder, AssignsTheRightRanksToEachOfAThousandLostNodes)
{
    JobState view;
    view.nodes = SharedVector<NodeStatus>(nodes(1000, NodeState::lost));
    for (int rank = 0; rank < 4000; ++rank) {
        RankState state;
        state.rank = rank;
        state.node = "n" + std::to_string(rank % 1000);  // neighbouring ranks on different nodes
        view.ranks.push_back(std::move(state));
    }
    const Picture picture{.view = view, .fates = fatesOf(view)};
    const std::vector<Alarm> alarms = nodeAlarms(picture);
    ASSERT_EQ(alarms.size(), 1000u);
    for (int node = 0; node < 1000; ++node)
        EXPECT_EQ(alarms[static_cast<std::size_t>(node)].ranks,
                  (std::vector<int>{node, node + 1000, node + 2000, node + 3000}));
    const alarm::Contacts heard = alarm::heardOf(picture);
    EXPECT_EQ(heard.unheard.size(), 4000u);
    EXPECT_EQ(heard.silentNodes.size(), 1000u);
}

}  // namespace
}  // namespace rankdeck::node_finder_test
