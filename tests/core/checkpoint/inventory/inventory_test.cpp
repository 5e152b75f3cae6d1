// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/inventory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::inventory_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Job twoNodes(const std::string &path = "/job/ckpt/rank_{rank}")
{
    Job job;
    job.nodes = {{"n0", "a", {0, 1}}, {"n1", "b", {2, 3}}};
    job.checkpoints = {path, "lenet"};
    return job;
}

FileEntry file(const std::string &path)
{
    FileEntry e{path, {}};
    e.stat.size = 100;
    return e;
}

FileEntry directory(const std::string &path, const std::string &error = {})
{
    FileEntry e{path, {}, {}, error};
    e.stat.kind = 'd';
    return e;
}

Listing listing(const std::string &root, std::vector<FileEntry> entries) { return {root, std::move(entries)}; }

std::vector<std::string> members(const Inventory &inventory)
{
    std::vector<std::string> all;
    for (const Member &m : inventory.members)
        all.push_back(std::to_string(m.rank) + "@" + m.node + " " + m.file.path.substr(m.file.path.rfind('/') + 1));
    return all;
}

TEST(CheckpointRoots, AreTheLongestPathsWithoutARankPlaceholder)
{
    Job job = twoNodes();
    job.gracefulExit.saves = "/job/ckpt/rank_{device}/LeNet5_train.ckpt";
    const auto roots = checkpointRoots(job, job.nodes[1]);
    ASSERT_EQ(roots.size(), 1u);
    EXPECT_EQ(roots[0].root, "/job/ckpt");
    EXPECT_GE(roots[0].depth, 4);
    job.gracefulExit.saves = "/scratch/{node}/exit/LeNet5_train_{rank}.ckpt";
    const auto two = checkpointRoots(job, job.nodes[1]);
    ASSERT_EQ(two.size(), 2u);
    EXPECT_EQ(two[1].root, "/scratch/n1/exit");
    EXPECT_EQ(two[1].depth, 1);
    job.checkpoints.path = "/data/{node_index}/out";
    EXPECT_EQ(checkpointRoots(job, job.nodes[1])[0].root, "/data/1/out");
    job.checkpoints.path.clear();
    job.gracefulExit.saves.clear();
    EXPECT_THAT(checkpointRoots(job, job.nodes[0]), IsEmpty());
}

TEST(CheckpointRoots, RootInsideAnotherRootIsListedOnce)
{
    Job job = twoNodes("/job");
    job.gracefulExit.saves = "/job/ckpt/LeNet5_train.ckpt";
    const auto roots = checkpointRoots(job, job.nodes[0]);
    ASSERT_EQ(roots.size(), 1u);
    EXPECT_EQ(roots[0].root, "/job");
}

TEST(InventoryTest, AssignsFilesByTemplateToTheRanksOfEachNode)
{
    const Job job = twoNodes();
    const Inventory inventory = buildInventory(
        job,
        {{"n0", listing("/job/ckpt", {file("/job/ckpt/rank_0/lenet-1_5.ckpt"), file("/job/ckpt/rank_1/lenet-1_5.ckpt"),
                                      file("/job/ckpt/rank_2/lenet-1_5.ckpt")})},
         {"n1",
          listing("/job/ckpt", {file("/job/ckpt/rank_2/lenet-1_5.ckpt"), file("/job/ckpt/rank_3/lenet_1-1_5.ckpt")})}});
    EXPECT_THAT(members(inventory), ElementsAre("0@n0 lenet-1_5.ckpt", "1@n0 lenet-1_5.ckpt", "2@n1 lenet-1_5.ckpt",
                                                "3@n1 lenet_1-1_5.ckpt"));
    EXPECT_THAT(inventory.notes, Contains(HasSubstr("is not on node n0")));
    EXPECT_EQ(inventory.members[3].name.rerun, 1);
    EXPECT_THAT(inventory.unlisted, IsEmpty());
}

TEST(InventoryTest, CountsFilesOnSharedPathsOnce)
{
    Job job = twoNodes();
    job.pathsShared = true;
    const std::vector<FileEntry> all{file("/job/ckpt/rank_0/lenet-1_5.ckpt"), file("/job/ckpt/rank_3/lenet-1_5.ckpt")};
    const Inventory inventory =
        buildInventory(job, {{"n0", listing("/job/ckpt", all)}, {"n1", listing("/job/ckpt", all)}});
    EXPECT_THAT(members(inventory), ElementsAre("0@n0 lenet-1_5.ckpt", "3@n0 lenet-1_5.ckpt"));
    EXPECT_THAT(buildInventory(job, {{"n1", listing("/job/ckpt", all)}}).unlisted, IsEmpty());
}

TEST(InventoryTest, RanksOfAnUncontactedNodeAreUnlistedNotMissing)
{
    const Inventory inventory = buildInventory(twoNodes(), {{"n0", listing("/job/ckpt", {})}});
    EXPECT_EQ(inventory.unlisted.count(0), 0u);
    EXPECT_THAT(inventory.unlisted.at(2), HasSubstr("n1"));
    Listing denied = listing("/job/ckpt", {});
    denied.error = "Permission denied";
    EXPECT_THAT(buildInventory(twoNodes(), {{"n0", listing("/job/ckpt", {})}, {"n1", denied}}).unlisted.at(3),
                HasSubstr("Permission denied"));
    Listing absent = listing("/job/ckpt", {});
    absent.error = "No such file or directory";
    EXPECT_EQ(buildInventory(twoNodes(), {{"n0", absent}, {"n1", absent}}).unlisted.size(), 0u);
}

// A job that was found on only some of its hosts.
TEST(InventoryTest, RanksAssignedToNoNodeAreUnlistedNotMissing)
{
    Job job = twoNodes();
    job.worldSize = 4;
    job.nodes.pop_back();
    const std::vector<NodeListing> listings{{"n0", listing("/job/ckpt", {file("/job/ckpt/rank_0/lenet-1_5.ckpt")})}};
    const Inventory apart = buildInventory(job, listings);
    EXPECT_EQ(apart.unlisted.size(), 2u);
    EXPECT_THAT(apart.unlisted.at(3), HasSubstr("no watched node has it"));
    job.pathsShared = true;
    EXPECT_THAT(buildInventory(job, listings).unlisted, IsEmpty()) << "one node sees the files of all";
}

TEST(InventoryTest, FindsGracefulExitSavesInFoldersNamedByDevice)
{
    Job job = twoNodes();
    job.gracefulExit.saves = "/job/ckpt/rank_{device}/LeNet5_train.ckpt";
    const Inventory told =
        buildInventory(job, {{"n1", listing("/job/ckpt", {file("/job/ckpt/rank_0/LeNet5_train.ckpt"),
                                                          file("/job/ckpt/rank_1/LeNet5_train.ckpt"),
                                                          file("/job/ckpt/rank_2/lenet-1_5.ckpt")})}});
    EXPECT_THAT(members(told), ElementsAre("2@n1 LeNet5_train.ckpt", "2@n1 lenet-1_5.ckpt", "3@n1 LeNet5_train.ckpt"));
    job.gracefulExit.saves.clear();
    const Inventory found =
        buildInventory(job, {{"n1", listing("/job/ckpt", {file("/job/ckpt/rank_1/LeNet5_train.ckpt")})}});
    EXPECT_THAT(members(found), ElementsAre("3@n1 LeNet5_train.ckpt"));
}

// The path contains the node, so on the second node the template does not match a rank_0.
TEST(InventoryTest, FindsDeviceFoldersInADirectoryOfOneNode)
{
    const std::vector<FileEntry> entries{
        file("/job/n1/ckpt/rank_0/LeNet5_train.ckpt"), file("/job/n1/ckpt/rank_1/LeNet5_train.ckpt"),
        file("/job/n1/ckpt/rank_0/lenet-1_5.ckpt"), file("/job/n1/ckpt/rank_2/lenet-1_5.ckpt")};
    const Inventory found =
        buildInventory(twoNodes("/job/{node}/ckpt/rank_{rank}"), {{"n1", listing("/job/n1/ckpt", entries)}});
    EXPECT_THAT(members(found), ElementsAre("2@n1 LeNet5_train.ckpt", "2@n1 lenet-1_5.ckpt", "3@n1 LeNet5_train.ckpt"));
    ASSERT_EQ(found.members.size(), 3u);
    EXPECT_EQ(found.members[0].name.prefix, "LeNet5");
    EXPECT_THAT(found.notes,
                ElementsAre(HasSubstr("rank_0/lenet-1_5.ckpt on n1: nothing shows which rank it belongs to")));
    Job shared = twoNodes("/job/{node}/ckpt/rank_{rank}");
    shared.pathsShared = true;
    EXPECT_THAT(members(buildInventory(shared, {{"n1", listing("/job/n1/ckpt", {entries[0]})}})), IsEmpty());
}

TEST(InventoryTest, ReportsDeviceFoldersThatOverwriteEachOtherOnASharedDisk)
{
    Job job = twoNodes();
    job.pathsShared = true;
    job.gracefulExit.saves = "/job/ckpt/rank_{device}/LeNet5_train.ckpt";
    const Inventory inventory =
        buildInventory(job, {{"n0", listing("/job/ckpt", {file("/job/ckpt/rank_0/LeNet5_train.ckpt")})}});
    EXPECT_THAT(members(inventory), ElementsAre("0@n0 LeNet5_train.ckpt"));
    EXPECT_THAT(inventory.notes, Contains(HasSubstr("same file")));
}

Job anywhere()
{
    Job job;
    job.nodes = {{"n0", "a", {}}};
    job.checkpoints.path = "/x";
    return job;
}

TEST(InventoryTest, FindsRankFoldersAtAnyDepthWithoutATemplate)
{
    const Inventory inventory = buildInventory(
        anywhere(),
        {{"n0", listing("/x", {directory("/x/out"), directory("/x/out/rank_0"), file("/x/out/rank_0/lenet-1_5.ckpt"),
                               file("/x/out/rank_1/deep/lenet-1_5.ckpt"), directory("/x/out/rank_2")})}});
    EXPECT_THAT(members(inventory), ElementsAre("0@n0 lenet-1_5.ckpt", "1@n0 lenet-1_5.ckpt"));
    EXPECT_EQ(inventory.worldSizeFromDirectories, 3);  // an empty folder is a rank that never saved
}

TEST(InventoryTest, FindsRanksByMindFormersNamesInOneDirectory)
{
    const Inventory inventory = buildInventory(
        anywhere(), {{"n0", listing("/x", {file("/x/llama_rank_0-1_5.ckpt"), file("/x/llama_rank_1-1_5.ckpt")})}});
    EXPECT_THAT(members(inventory), ElementsAre("0@n0 llama_rank_0-1_5.ckpt", "1@n0 llama_rank_1-1_5.ckpt"));
}

TEST(InventoryTest, AssignsASingleDirectoryToRankZero)
{
    const Inventory inventory =
        buildInventory(anywhere(), {{"n0", listing("/x", {file("/x/lenet-1_5.ckpt"), file("/x/lenet-graph.meta")})}});
    EXPECT_THAT(members(inventory), ElementsAre("0@n0 lenet-1_5.ckpt"));
    EXPECT_EQ(inventory.worldSizeFromDirectories, 1);
}

TEST(InventoryTest, ReportsFilesWithoutARankAndDoesNotGuess)
{
    const Inventory inventory =
        buildInventory(anywhere(), {{"n0", listing("/x", {file("/x/lenet-9_9.ckpt"), file("/x/rank_0/lenet-1_5.ckpt"),
                                                          file("/x/rank_1/lenet-1_5.ckpt")})}});
    EXPECT_EQ(inventory.members.size(), 2u);
    EXPECT_THAT(inventory.notes, Contains(HasSubstr("nothing shows which rank it belongs to")));
}

TEST(InventoryTest, DerivesRerunNumbersFromAllNamesTogether)
{
    const Inventory both = buildInventory(
        anywhere(), {{"n0", listing("/x", {file("/x/rank_0/lenet-1_5.ckpt"), file("/x/rank_1/lenet_1-1_5.ckpt")})}});
    EXPECT_EQ(both.members[1].name.prefix, "lenet");
    EXPECT_EQ(both.members[1].name.rerun, 1);
    const Inventory lone = buildInventory(anywhere(), {{"n0", listing("/x", {file("/x/rank_0/net_1-1_5.ckpt")})}});
    EXPECT_EQ(lone.members[0].name.rerun, 0);
    const Inventory graph = buildInventory(
        anywhere(), {{"n0", listing("/x", {file("/x/rank_0/net_1-1_5.ckpt"), file("/x/rank_0/net-graph.meta")})}});
    EXPECT_EQ(graph.members[0].name.rerun, 1);
}

TEST(InventoryTest, ExcludesFilesWithAnotherPrefixThanTheJob)
{
    const Inventory inventory =
        buildInventory(twoNodes(), {{"n0", listing("/job/ckpt", {file("/job/ckpt/rank_0/lenet-1_5.ckpt"),
                                                                 file("/job/ckpt/rank_0/resnet-1_5.ckpt")})}});
    EXPECT_EQ(inventory.members.size(), 1u);
    EXPECT_THAT(inventory.notes, Contains(HasSubstr("resnet")));
}

TEST(InventoryTest, L02_RefusesLinksThatDangleOrLeaveTheRoot)
{
    FileEntry out = file("/x/rank_0/lenet-1_5.ckpt");
    out.linkTarget = "/etc/passwd";
    FileEntry up = file("/x/rank_0/lenet-1_6.ckpt");
    up.linkTarget = "../../y/lenet-1_6.ckpt";
    FileEntry inside = file("/x/rank_0/lenet-1_7.ckpt");
    inside.linkTarget = "../store/lenet-1_7.ckpt";
    FileEntry loop = file("/x/rank_0/lenet-1_8.ckpt");
    loop.stat.kind = 'l';
    loop.linkTarget = "lenet-1_8.ckpt";
    const Inventory inventory = buildInventory(anywhere(), {{"n0", listing("/x", {out, up, inside, loop})}});
    EXPECT_THAT(members(inventory), ElementsAre("0@n0 lenet-1_7.ckpt"));
    EXPECT_THAT(inventory.notes, Contains(HasSubstr("/etc/passwd")));
    EXPECT_THAT(inventory.notes, Contains(HasSubstr("does not exist")));
    EXPECT_EQ(inventory.notes.size(), 3u);
}

TEST(InventoryTest, U01_UnreadableRankDirectoryIsUnlisted)
{
    const Inventory inventory = buildInventory(
        anywhere(),
        {{"n0", listing("/x", {file("/x/rank_0/lenet-1_5.ckpt"), directory("/x/rank_1", "Permission denied")})}});
    EXPECT_THAT(inventory.unlisted.at(1), HasSubstr("Permission denied"));
    EXPECT_EQ(inventory.worldSizeFromDirectories, 2);
}

TEST(InventoryTest, TruncatedListingLeavesRanksUnlisted)
{
    Listing cut = listing("/job/ckpt", {file("/job/ckpt/rank_0/lenet-1_5.ckpt")});
    cut.truncated = true;
    EXPECT_THAT(buildInventory(twoNodes(), {{"n0", cut}}).unlisted.at(1), HasSubstr("more entries"));
}

TEST(InventoryTest, ReadsStepAndRankFromTtpFolders)
{
    const Inventory inventory = buildInventory(
        twoNodes(),
        {{"n0", listing("/job/ckpt",
                        {file("/job/ckpt/tft_saved_checkpoints-step_13/rank_1/ttp_rank_1-2_3.ckpt"),
                         file("/job/ckpt/rank_0/ttp_saved_checkpoints-step_9_tmp/rank_0/ttp_rank_0-1_9.ckpt")})}});
    ASSERT_EQ(inventory.members.size(), 2u);
    EXPECT_EQ(inventory.members[1].name.globalStep, 13);
    EXPECT_EQ(inventory.members[1].rank, 1);
    EXPECT_TRUE(inventory.members[0].name.temporary);
}

TEST(InventoryTest, ExcludesAFileNamedForAnotherRank)
{
    const Inventory inventory =
        buildInventory(anywhere(), {{"n0", listing("/x", {file("/x/rank_2/llama_rank_3-1_5.ckpt")})}});
    EXPECT_THAT(inventory.members, IsEmpty());
    EXPECT_THAT(inventory.notes, Contains(HasSubstr("named for rank 3")));
}

FileEntry numbered(const std::string &path, std::uint64_t inode)
{
    FileEntry e = file(path);
    e.stat.inode = inode;
    e.stat.mtimeNs = 1'700'000'000'000'000'000 + std::int64_t(inode);
    return e;
}

// Folders of the graceful exit count devices, unless both nodes see the same folders.
TEST(Inventory, TreatsNodesWithTheSameFilesAsOneFileSystem)
{
    Job job = twoNodes("/job/ckpt");
    std::vector<FileEntry> entries;
    for (int rank = 0; rank < 4; ++rank)
        entries.push_back(
            numbered("/job/ckpt/rank_" + std::to_string(rank) + "/lenet-1_10.ckpt", 100 + std::uint64_t(rank)));
    const Inventory seen =
        buildInventory(job, {{"n0", listing("/job/ckpt", entries)}, {"n1", listing("/job/ckpt", entries)}});
    EXPECT_THAT(members(seen), ElementsAre("0@n0 lenet-1_10.ckpt", "1@n0 lenet-1_10.ckpt", "2@n1 lenet-1_10.ckpt",
                                           "3@n1 lenet-1_10.ckpt"));
    EXPECT_THAT(seen.notes, Contains(HasSubstr("treated as one file system")));
    std::vector<FileEntry> others = entries;
    for (FileEntry &entry : others) entry.stat.inode += 50;
    const Inventory apart =
        buildInventory(job, {{"n0", listing("/job/ckpt", entries)}, {"n1", listing("/job/ckpt", others)}});
    EXPECT_THAT(apart.notes, testing::Not(Contains(HasSubstr("treated as one file system"))));
}

}  // namespace
}  // namespace rankdeck::inventory_test
