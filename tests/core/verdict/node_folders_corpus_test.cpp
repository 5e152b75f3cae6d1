// SPDX-License-Identifier: GPL-3.0-or-later
// Folders with the files of ranks: folders of nodes whose disks were merged, and folders of ranks with a suffix after
// the number. Also folders of ranks without checkpoints, and links within the directory.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace rankdeck::node_folders_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

std::string n(std::int64_t number) { return std::to_string(number); }

// Shards of ranks are different; each contains its step.
std::string shard(int rank, std::int64_t step)
{
    const std::string state = "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(step)}}) + "u";
    return test::torchZip(pkl::whole(pkl::dict({{"step", pkl::integer(step)},
                                                {"model", pkl::dict({{"w", pkl::floats("0", 4)}})},
                                                {"optimizer", pkl::dict({{"state", state}})}})),
                          {{"0", test::floatBytes({float(rank), 2, 3, float(step)})}});
}

using Layout = std::function<std::string(const std::string &node, int rank, std::int64_t step)>;

const Layout rankFolders = [](const std::string &node, int rank, std::int64_t step) {
    return node + "/rank_" + n(rank) + "/step_" + n(step) + ".pt";
};

const std::vector<Layout> &layouts()
{
    static const std::vector<Layout> all{
        rankFolders,
        [](const std::string &node, int rank, std::int64_t step) {
            return node + "/out/ckpt/rank_" + n(rank) + "/step_" + n(step) + ".pt";
        },
        [](const std::string &node, int rank, std::int64_t step) {
            return node + "/step_" + n(step) + "_rank_" + n(rank) + ".pt";
        },
        [](const std::string &node, int rank, std::int64_t step) {
            return node + "/step_" + n(step) + "/rank_" + n(rank) + ".pt";
        },
        [](const std::string &node, int rank, std::int64_t step) {
            return "save/" + node + "/" + n(step) + "/rank" + n(rank) + "/step_" + n(step) + ".pt";
        },
    };
    return all;
}

const std::vector<std::vector<std::string>> nodes{
    {"node0", "node1"}, {"nid0412", "nid0977"}, {"host-1", "host-2"}, {"ascend-01.example", "ascend-02.example"}};

Corpus brought(const Layout &layout, const std::vector<std::string> &names)
{
    Corpus c("/tmp/old_1/ckpt");
    for (const std::int64_t step : {100, 200})
        for (int rank = 0; rank < 4; ++rank)
            c.put(layout(names[std::size_t(rank) / 2], rank, step), shard(rank, step), step, 0644);
    return c;
}

TEST(NodeFolders, PropertyDisksOfSeveralNodesFormOneSetOfAllRanks)
{
    for (std::size_t at = 0; at < layouts().size(); ++at)
        for (const auto &names : nodes) {
            const Layout &layout = layouts()[at];
            Corpus c = brought(layout, names);
            EXPECT_EQ(summary(c.judgeAll()), "0:200o VALID; 0:100o VALID") << at << names[0];
            for (int rank = 0; rank < 4; ++rank) {
                const std::string &own = names[std::size_t(rank) / 2];
                Corpus lost = brought(layout, names);
                lost.remove(layout(own, rank, 200));
                EXPECT_EQ(summary(lost.judgeAll()), "0:200o INCOMPLETE rank_missing(" + n(rank) + "); 0:100o VALID")
                    << at << names[0];
                Corpus stale = brought(layout, names);
                stale.put(layout(own, rank, 200), shard(rank, 100), 200, 0644);
                const CheckpointReport report = stale.judgeAll();
                EXPECT_EQ(report.recommended, "0:100o") << at << names[0] << summary(report);
                Corpus disk = brought(layout, names);  // merged disks without the files of one rank
                for (const std::int64_t step : {100, 200}) disk.remove(layout(own, rank, step));
                const CheckpointReport rest = disk.judgeAll();
                EXPECT_TRUE(rank == 3 || !rest.recommended) << at << names[0] << summary(rest);
            }
        }
}

// Each node counts its own ranks: rank 0 exists twice, and nothing shows to which rank each file belongs.
TEST(NodeFolders, RanksNumberedSeparatelyOnEachNodeAreNotRecommended)
{
    Corpus c;
    for (const std::int64_t step : {100, 200})
        for (int rank = 0; rank < 4; ++rank)
            c.put(rankFolders("node" + n(rank / 2), rank % 2, step), shard(rank, step), step, 0644);
    EXPECT_EQ(c.judgeAll().recommended, std::nullopt);
    // Also if each folder has the half of the newest save that is missing in the other.
    c.remove(rankFolders("node0", 1, 200));
    c.remove(rankFolders("node1", 0, 200));
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, std::nullopt) << summary(report);
}

// The file system or the copy keeps only whole seconds: folders with equal times and different values are not copies.
TEST(NodeFolders, FoldersWithEqualTimesAreCopiesOnlyIfTheirContentIsEqual)
{
    Corpus c;
    for (int rank = 0; rank < 2; ++rank) {
        const std::string host = rank == 0 ? "alpha" : "beta";
        for (const std::int64_t step : {100, 200})
            c.put(host + "/step_" + n(step) + ".pt", shard(rank, step), step, 0644);
    }
    EXPECT_EQ(c.judgeAll().recommended, std::nullopt) << summary(c.judgeAll());
    for (const std::int64_t step : {100, 200}) c.put("beta/step_" + n(step) + ".pt", shard(0, step), step, 0644);
    EXPECT_NE(c.judgeAll().recommended, std::nullopt) << summary(c.judgeAll());
}

// Regression: a file that could not be read counted as a copy of another file, which then represented the whole point.
TEST(NodeFolders, UnreadFileIsNotACopy)
{
    Corpus c;
    for (const char *host : {"alpha", "beta"})
        for (const std::int64_t step : {100, 200})
            c.put(std::string(host) + "/step_" + n(step) + ".pt", shard(0, step), step, 0644);
    const auto whole = c.judge().recommended;  // one of two copies is enough, and only requested files are read
    EXPECT_NE(whole, std::nullopt) << summary(c.judge());
    c.refuse("beta/step_200.pt", "Input/output error");
    const CheckpointReport report = c.judgeAll();
    EXPECT_NE(report.recommended, whole) << summary(report);
    EXPECT_NE(report.recommended, std::nullopt) << "the older point was read, and is a copy: " << summary(report);
}

// A restart may have moved the ranks to other nodes. Runs and copies in sibling folders are not nodes.
TEST(NodeFolders, RanksMayMoveBetweenNodesButRunsAreNotJoined)
{
    Corpus moved;
    for (const std::int64_t step : {100, 200})
        for (int rank = 0; rank < 4; ++rank)
            moved.put(rankFolders("node" + n(step == 100 ? rank / 2 : 1 - rank / 2), rank, step), shard(rank, step),
                      step, 0644);
    EXPECT_EQ(summary(moved.judgeAll()), "0:200o VALID; 0:100o VALID");
    for (const char *word : {"run_", "exp", "backup-", "seed"}) {
        Corpus runs = brought(rankFolders, {std::string(word) + "0", std::string(word) + "1"});
        EXPECT_EQ(runs.judgeAll().recommended, std::nullopt) << word;
    }
}

TEST(NodeFolders, RankNumberMayBeInTheMiddleOfAFolderName)
{
    for (const char *form : {"rank_#_ckpt", "device_#_out", "rank-#.save"}) {
        const auto folder = [&](int rank) {
            std::string name = form;
            return name.replace(name.find('#'), 1, n(rank));
        };
        Corpus c;
        for (const std::int64_t step : {100, 200})
            for (int rank = 0; rank < 4; ++rank)
                c.put(folder(rank) + "/step_" + n(step) + ".pt", shard(rank, step), step, 0644);
        EXPECT_EQ(summary(c.judgeAll()), "0:200o VALID; 0:100o VALID") << form;
        c.remove(folder(2) + "/step_200.pt");
        EXPECT_EQ(summary(c.judgeAll()), "0:200o INCOMPLETE rank_missing(2); 0:100o VALID") << form;
    }
}

TEST(NodeFolders, RankFoldersThatContainOnlyLogsAreNotCounted)
{
    Corpus c;
    for (int rank = 0; rank < 4; ++rank) {
        c.makeDirectory("rank_" + n(rank));
        c.put("rank_" + n(rank) + "/step_100.pt", shard(rank, 100), 100, 0644);
    }
    for (int rank = 0; rank < 8; ++rank) {
        c.makeDirectory("logs/rank_" + n(rank));
        c.put("logs/rank_" + n(rank) + "/stdout.log", "step 1", 100, 0644);
    }
    EXPECT_EQ(summary(c.judgeAll()), "0:100o VALID");
    c.makeDirectory("rank_4");  // next to the others: a rank without a file
    EXPECT_EQ(summary(c.judgeAll()), "0:100o INCOMPLETE rank_missing(4)");
    Corpus flat;
    for (int rank = 0; rank < 4; ++rank) flat.put("step_100_rank_" + n(rank) + ".pt", shard(rank, 100), 100, 0644);
    for (int rank = 0; rank < 8; ++rank) flat.makeDirectory("logs/rank_" + n(rank));
    EXPECT_EQ(summary(flat.judgeAll()), "0:100o VALID");
}

TEST(NodeFolders, L01_LinkToACountedFileIsNotASeparateFile)
{
    Corpus c;
    for (const std::int64_t step : {100, 200}) c.put("ckpt_" + n(step) + ".pt", shard(0, step), step, 0644);
    const std::string before = summary(c.judgeAll());
    EXPECT_EQ(before, "0:200o VALID; 0:100o VALID");
    c.put("ckpt_300.pt", shard(1, 200), 200, 0644);
    EXPECT_NE(c.judgeAll().recommended, "0:200o");  // a second file of this point, which may be another rank's
    c.put("ckpt_300.pt", shard(0, 200), 200, 0644);
    EXPECT_EQ(c.judgeAll().recommended, "0:200o") << "a copy: " << summary(c.judgeAll());
    c.entry("ckpt_300.pt").linkTarget = "ckpt_200.pt";
    EXPECT_EQ(c.judgeAll().recommended, "0:200o") << summary(c.judgeAll());
}

bool anyNote(const CheckpointReport &report, const std::string &words)
{
    return std::any_of(report.notes.begin(), report.notes.end(),
                       [&](const std::string &note) { return note.find(words) != std::string::npos; });
}

// Files that were not searched are reported, with a line for each kind.
TEST(UnsearchedFiles, NamesEveryKindOfFileIfThereIsNoCheckpoint)
{
    Corpus c;
    for (int step : {10, 20}) {
        c.put("model_" + n(step) + ".joblib", "x", step, 0644);
        c.put("optimizer_" + n(step) + ".dat7", "x", step, 0644);
    }
    c.put("a/train.log", "x", 1, 0644);
    c.put("NOTES", "x", 1, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_TRUE(report.sets.empty());
    EXPECT_TRUE(anyNote(report, "model_10.joblib on n0 and 1 more like it (.joblib, 2 B): joblib pickles"));
    EXPECT_TRUE(anyNote(report, "optimizer_10.dat7 on n0 and 1 more like it (.dat7, 2 B): unknown kind"));
    EXPECT_TRUE(anyNote(report, "train.log on n0 (.log"));
    EXPECT_TRUE(anyNote(report, "NOTES on n0 (no file name extension"));
    EXPECT_TRUE(anyNote(Corpus().judgeAll(), "it has no file"));
    Corpus deep;  // below the depth limit, its files are unknown
    for (std::string at = "a"; at.size() < 80; at += "/a") deep.makeDirectory(at);
    EXPECT_TRUE(anyNote(deep.judgeAll(), "not searched"));
    EXPECT_FALSE(anyNote(deep.judgeAll(), "it has no file"));
    Corpus many;
    for (int i = 0; i < 1000; ++i) many.put("f." + std::string(1, char('a' + i % 26)) + n(i), "x", 1, 0644);
    EXPECT_LE(many.judgeAll().notes.size(), 8u);
}

TEST(UnsearchedFiles, ReportsOnlyPackedCheckpointsNextToOtherCheckpoints)
{
    Corpus c;
    c.put("ckpt_100.pt", shard(0, 100), 100, 0644);
    c.put("train.log", "x", 1, 0644);
    EXPECT_TRUE(c.judgeAll().notes.empty());
    for (const char *packed : {"ckpt_200.pt.gz", "ckpt_300.pt.gz", "step_50.tgz", "step_60.tar.zst"})
        c.put(packed, "x", 200, 0644);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:100o");
    EXPECT_TRUE(anyNote(report, "ckpt_200.pt.gz on n0 and 1 more like it: compressed (gzip), not searched"));
    EXPECT_TRUE(anyNote(report, "step_50.tgz on n0: an archive"));
    EXPECT_TRUE(anyNote(report, "step_60.tar.zst on n0: compressed (zstd)"));
    EXPECT_EQ(report.notes.size(), 3u);
}

}  // namespace
}  // namespace rankdeck::node_folders_corpus_test
