// SPDX-License-Identifier: GPL-3.0-or-later
// From files that were listed on the nodes of a found job to the save directories of its ranks and of their graceful
// exit. Pure.
#include "core/discover/checkpoint_search.h"

#include "core/discover/job_draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::checkpoint_search_test {
namespace {

using ::testing::HasSubstr;

FoundJob twoNodes(const std::string &first, const std::string &second)
{
    FoundJob job{.worldSize = 4};
    for (const std::string &name : {first, second}) {
        FoundNode node{.host = job.nodes.size(), .name = name};
        for (int i = 0; i < 2; ++i) {
            RankTrace rank{};
            rank.rank = int(job.nodes.size()) * 2 + i;
            rank.process.cwd = "/job";
            rank.process.argv = {"python", "train.py"};
            node.ranks[rank.rank] = rank;
        }
        job.nodes.push_back(std::move(node));
    }
    return job;
}

ListedRoot listed(std::size_t node, const std::string &root, const std::vector<std::string> &paths)
{
    ListedRoot one{.node = node, .listing = {root, {}}};
    for (const std::string &path : paths) {
        FileEntry entry{path, {}};
        entry.stat.size = 100;
        entry.stat.mtimeNs = 1'700'000'000'000'000'000 + std::int64_t(one.listing.entries.size() + node);
        one.listing.entries.push_back(std::move(entry));
    }
    return one;
}

JobEvidence sorted(const FoundJob &job, const std::vector<ListedRoot> &listings)
{
    JobEvidence evidence;
    sortListings(job, listings, evidence);
    return evidence;
}

const std::vector<std::string> &names()
{
    static const std::vector<std::string> all{"/lenet-1_20.ckpt"};
    return all;
}

std::vector<std::string> in(const std::string &directory, const std::vector<int> &ranks, const std::string &name)
{
    std::vector<std::string> paths;
    for (const int rank : ranks) paths.push_back(directory + "/rank_" + std::to_string(rank) + name);
    return paths;
}

TEST(CheckpointSearch, ReplacesNodeNamesInDirectoriesByAPlaceholder)
{
    const JobEvidence found =
        sorted(twoNodes("alpha", "beta"), {listed(0, "/job/alpha", in("/job/alpha/ckpt", {0, 1}, names().front())),
                                           listed(1, "/job/beta", in("/job/beta/ckpt", {2, 3}, names().front()))});
    EXPECT_EQ(found.checkpoints, "/job/{node}/ckpt/rank_{rank}");
    EXPECT_EQ(found.prefix, "lenet");
}

TEST(CheckpointSearch, ReportsDirectoriesThatNoPlaceholderCanDescribe)
{
    const FoundJob job = twoNodes("n0", "n1");
    const JobEvidence found = sorted(job, {listed(0, "/mnt/a", in("/mnt/a/ckpt", {0, 1}, names().front())),
                                           listed(1, "/mnt/b", in("/mnt/b/ckpt", {2, 3}, names().front()))});
    EXPECT_FALSE(found.checkpoints.has_value()) << *found.checkpoints;
    EXPECT_THAT(found.severalPlaces, testing::Contains("/mnt/a/ckpt/rank_0"));
    const DiscoveredJob draft = draftJob(job, {{.host = "n0"}, {.host = "n1"}}, found);
    EXPECT_THAT(draft.notes, testing::Contains(testing::Field(&DiscoveryNote::text, HasSubstr("/mnt/b/ckpt/rank_3"))));
}

// The second node has created its directory but not saved there yet; its earlier saves are in another directory.
TEST(CheckpointSearch, UsesANewDirectoryThatANodeHasNotSavedToYet)
{
    std::vector<std::string> second = in("/job/old", {2, 3}, names().front());
    second.insert(second.begin(), "/job/new/rank_2");
    std::vector<ListedRoot> listings{listed(0, "/job", in("/job/new", {0, 1}, names().front())),
                                     listed(1, "/job", second)};
    listings[1].listing.entries.front().stat.kind = 'd';
    for (FileEntry &entry : listings[0].listing.entries) entry.stat.mtimeNs += 1000;
    EXPECT_EQ(sorted(twoNodes("n0", "n1"), listings).checkpoints, "/job/new/rank_{rank}");
}

TEST(CheckpointSearch, FindsGracefulExitSavesNamedByDeviceOnEachNode)
{
    const std::string exit = "/LeNet5_train.ckpt";
    std::vector<std::string> first = in("/job/n0/ckpt", {0, 1}, exit), second = in("/job/n1/ckpt", {0, 1}, exit);
    for (const std::string &path : in("/job/n0/ckpt", {0, 1}, names().front())) first.push_back(path);
    for (const std::string &path : in("/job/n1/ckpt", {2, 3}, names().front())) second.push_back(path);
    const JobEvidence found = sorted(twoNodes("n0", "n1"), {listed(0, "/job/n0", first), listed(1, "/job/n1", second)});
    EXPECT_EQ(found.checkpoints, "/job/{node}/ckpt/rank_{rank}");
    EXPECT_EQ(found.gracefulSaves, "/job/{node}/ckpt/rank_{device}/LeNet5_train.ckpt");
}

TEST(CheckpointSearch, DoesNotTakeRankFoldersOfExitSavesForDevices)
{
    const std::string exit = "/LeNet5_train.ckpt";
    const std::vector<std::string> all = in("/job/ckpt", {0, 1, 2, 3}, exit);
    const JobEvidence found = sorted(twoNodes("n0", "n1"), {listed(0, "/job", all), listed(1, "/job", all)});
    EXPECT_EQ(found.gracefulSaves, "/job/ckpt/rank_{rank}/LeNet5_train.ckpt");
}

// OnRequestExit creates its folders when the training begins; those of ModelCheckpoint are not empty.
TEST(CheckpointSearch, FindsEmptyExitSaveFoldersBeforeTheFirstExit)
{
    bool besides = false;
    const auto found = [&besides](const std::vector<int> &second, const std::string &script) {
        std::vector<ListedRoot> listings;
        for (const std::size_t node : {0U, 1U}) {
            const std::string exits = "/job/n" + std::to_string(node);
            std::vector<std::string> paths = in(exits, node == 0 ? std::vector{0, 1} : second, "");
            for (const std::string &path : in("/job/zckpt", {0, 1, 2, 3}, "")) {
                paths.push_back(path);
                if (besides) paths.push_back(path + "-old");
                paths.push_back(path + names().front());
            }
            if (besides && node == 0) paths.insert(paths.end(), {"/job/zother/rank_0", "/job/zother/rank_1"});
            listings.push_back(listed(node, "/job", paths));
            for (FileEntry &entry : listings.back().listing.entries)
                if (!entry.path.ends_with(".ckpt")) entry.stat.kind = 'd';
        }
        JobEvidence evidence{.text = script};
        sortListings(twoNodes("n0", "n1"), listings, evidence);
        EXPECT_EQ(evidence.checkpoints, "/job/zckpt/rank_{rank}");
        return evidence.gracefulSaves;
    };
    const std::string script = "cb = OnRequestExit(save_mindir=False, file_name='LeNet5', directory=args.out)\n";
    EXPECT_EQ(found({0, 1}, script), "/job/{node}/rank_{device}/LeNet5_train.ckpt");
    EXPECT_EQ(found({2, 3}, script), "/job/{node}/rank_{rank}/LeNet5_train.ckpt");
    EXPECT_EQ(found({2, 3}, "cb = OnRequestExit()\n"), "/job/{node}/rank_{rank}/Net_train.ckpt");
    EXPECT_EQ(found({2}, script), std::nullopt) << "one rank has none";
    EXPECT_EQ(found({2, 3}, "cb = OnRequestExit(file_name=args.net)\n"), std::nullopt);
    EXPECT_EQ(found({2, 3}, "cb = OnRequestExit(**where)\n"), std::nullopt);
    EXPECT_EQ(found({2, 3}, "cb = OnRequestExit(save_ckpt=False)\n"), std::nullopt);
    EXPECT_EQ(found({2, 3}, "model.train(90)\n"), std::nullopt);
    besides = true;
    EXPECT_EQ(found({2, 3}, script), std::nullopt) << "of two places neither is known to be the callback's";
}

TEST(CheckpointSearch, IgnoresExitSavesThatSomeRanksLack)
{
    EXPECT_FALSE(sorted(twoNodes("n0", "n1"), {listed(0, "/job/n0", in("/job/n0/ckpt", {0, 1}, "/LeNet5_train.ckpt")),
                                               listed(1, "/job/n1", {})})
                     .gracefulSaves.has_value());
}

}  // namespace
}  // namespace rankdeck::checkpoint_search_test
