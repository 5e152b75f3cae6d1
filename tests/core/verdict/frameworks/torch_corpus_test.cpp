// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck {
namespace {

using test::Corpus;
using test::summary;

void putAll(Corpus &c, const std::string &sample, const std::string &as, std::int64_t time)
{
    for (const auto &item : std::filesystem::directory_iterator(testData() + "/torch/" + sample)) {
        const std::string base = item.path().filename().string();
        c.put(as + "/" + base, test::readFile(item.path().string()), base == ".metadata" ? time + 1 : time);
    }
}

TEST(TorchCorpus, OneFilePerRankOfAScript)
{
    Corpus c;
    for (const char *rank : {"rank_0", "rank_1"}) putAll(c, std::string("per_rank/") + rank, rank, 100);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 2u) << summary(report);
    for (const CheckpointSet &set : report.sets) EXPECT_EQ(set.verdict, Verdict::valid) << summary(set);
    EXPECT_EQ(report.sets.front().epoch, 3);
}

TEST(TorchCorpus, N01_RanksOfDifferentEpochs)
{
    Corpus c;
    for (const char *rank : {"rank_0", "rank_1"}) putAll(c, std::string("per_rank/") + rank, rank, 100);
    c.remove("rank_0/model_best.pth.tar");
    c.remove("rank_1/model_best.pth.tar");
    c.put("rank_1/checkpoint.pth.tar", test::data("torch/per_rank/rank_1/model_best.pth.tar"), 100);
    const CheckpointReport report = c.judgeAll();
    ASSERT_EQ(report.sets.size(), 1u);
    EXPECT_EQ(report.sets[0].verdict, Verdict::inconsistent) << summary(report);
    EXPECT_EQ(report.sets[0].reasons.front().code, "epoch_mismatch");
}

TEST(TorchCorpus, DistributedDirectoriesServeAllRanks)
{
    Corpus c;
    c.expected.worldSize = 2;
    putAll(c, "dcp/step-100", "step-100", 100);
    putAll(c, "dcp/step-200-async", "step-200", 200);
    putAll(c, "dcp/killed-first-save", "step-300", 300);
    const CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 3u) << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::incomplete);  // M01
    EXPECT_EQ(report.sets[0].reasons.front().code, "commit_missing");
    EXPECT_EQ(report.recommended, "0:200") << summary(report);
    EXPECT_EQ(report.sets[1].members.size(), 2u);
    EXPECT_EQ(report.sets[1].globalStep, 200);
}

TEST(TorchCorpus, C04_DirectoryNamedForAnotherStep)
{
    Corpus c;
    c.expected.worldSize = 1;
    putAll(c, "dcp/step-100", "step-900", 100);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::inconsistent);
}

}  // namespace
}  // namespace rankdeck
