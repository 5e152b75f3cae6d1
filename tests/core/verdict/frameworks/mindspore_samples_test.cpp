// SPDX-License-Identifier: GPL-3.0-or-later
// Directories that real MindSpore jobs left, judged unchanged.
#include "tests/core/verdict/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::mindspore_samples_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;
using testing::HasSubstr;

const CheckpointSet &at(const CheckpointReport &report, const std::string &id)
{
    const CheckpointSet *set = report.find(id);
    if (!set) throw std::runtime_error("no set " + id + " in " + summary(report));
    return *set;
}

void timeOf(Corpus &c, int rank, const std::string &name, std::int64_t seconds)
{
    c.touch("rank_" + std::to_string(rank) + "/" + name, seconds);
}

TEST(MindsporeSamples, NewestWholeSetAfterSigkillIsValid)
{
    Corpus c;
    c.copy("dp4/2.7.0/sigkill");
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:1-10 VALID; 0:1-5 VALID");
    EXPECT_EQ(report.recommended, "0:1-10");
    EXPECT_EQ(report.recommendedText, "newest VALID set");
    EXPECT_EQ(report.worldSize, 4);
    EXPECT_EQ(report.worldSizeFrom, "directories");
    const CheckpointSet &set = at(report, "0:1-10");
    EXPECT_EQ(set.globalStep, 10);
    EXPECT_EQ(set.position, 10);
    EXPECT_EQ(states(set), "ok ok ok ok");
    EXPECT_EQ(set.members[2].level, EvidenceLevel::L3);
    EXPECT_TRUE(report.settled);
}

TEST(MindsporeSamples, ReadsOnlyTheNewestSetIfItIsValid)
{
    Corpus c;
    c.copy("dp4/2.7.0/sigkill");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:1-10 VALID; 0:1-5 UNKNOWN not_read");
    EXPECT_EQ(c.rounds, 1);
}

TEST(MindsporeSamples, UnreadSetsAreUnknown)
{
    Corpus c;
    c.copy("dp4/2.7.0/sigkill");
    const CheckpointReport report = c.judgeUnread();
    EXPECT_EQ(summary(report), "0:1-10 UNKNOWN not_read; 0:1-5 UNKNOWN not_read");
    EXPECT_EQ(report.recommended, std::nullopt);
    EXPECT_FALSE(report.settled);
}

TEST(MindsporeSamples, BreakpointOfOnlyOneRankIsIncomplete)
{
    Corpus c;
    c.copy("dp4/2.7.0/raise");
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(
        summary(report),
        "0:2-3b INCOMPLETE rank_missing(0) rank_missing(2) rank_missing(3) replica_missing; 0:1-10 VALID; 0:1-5 VALID");
    EXPECT_EQ(report.recommended, "0:1-10");
    EXPECT_EQ(at(report, "0:2-3b").kind, CheckpointKind::breakpoint);
    EXPECT_EQ(at(report, "0:2-3b").globalStep, 13);
}

TEST(MindsporeSamples, KeepsTwoAttemptsOfAResumeApart)
{
    Corpus c;
    c.copy("dp4/2.7.0/resume");
    for (int rank = 0; rank < 4; ++rank)
        for (const char *name : {"lenet_1-3_5.ckpt", "lenet_1-3_10.ckpt", "lenet_1-4_5.ckpt", "lenet_1-4_10.ckpt"})
            timeOf(c, rank, name, 3600);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "1:4-10 VALID; 1:4-5 VALID; 1:3-10 VALID; 1:3-5 VALID; "
                               "0:2-10 VALID; 0:2-5 VALID; 0:1-10 VALID; 0:1-5 VALID");
    EXPECT_EQ(report.recommended, "1:4-10");
    EXPECT_EQ(at(report, "1:3-5").globalStep, 25);
    EXPECT_EQ(at(report, "1:3-5").position, 25);
}

TEST(MindsporeSamples, DetectsRanksThatDisagreeOnTheRunNumber)
{
    Corpus c;
    c.copy("dp4/2.7.0/suffix");
    for (const int rank : {0, 1, 3})
        for (const char *name : {"lenet_1-1_5.ckpt", "lenet_1-1_10.ckpt"}) timeOf(c, rank, name, 3600);
    for (const char *name : {"lenet-1_5.ckpt", "lenet-1_10.ckpt"}) timeOf(c, 2, name, 3601);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report),
              "1:1-10 VALID; 1:1-5 VALID; 0:1-10 INCOMPLETE rank_missing(2); 0:1-5 INCOMPLETE rank_missing(2)");
    EXPECT_THAT(at(report, "1:1-10").members[2].path, HasSubstr("rank_2/lenet-1_10.ckpt"));
}

TEST(MindsporeSamples, RunNumbersWithoutTimesAreNeverRecommended)
{
    Corpus c;
    c.copy("dp4/2.7.0/suffix");  // a copy that kept no times
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, std::nullopt);
    for (const CheckpointSet &set : report.sets) EXPECT_NE(set.verdict, Verdict::valid) << summary(set);
}

class Graceful : public testing::TestWithParam<const char *> {};

TEST_P(Graceful, SaveOfAllRanksIsASeparateSet)
{
    Corpus c;
    c.copy(std::string("dp4/") + GetParam() + "/graceful");
    for (int rank = 0; rank < 4; ++rank)
        for (const char *name : {"lenet_1-1_1.ckpt", "Other_train.ckpt"})
            if (std::string(GetParam()) == "2.7.0") c.remove("rank_" + std::to_string(rank) + "/" + name);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:2-4 VALID; 0:2-4g VALID global_step_scalar; 0:1-10 VALID; 0:1-5 VALID");
    EXPECT_EQ(report.recommended, "0:2-4");
    const CheckpointSet &set = at(report, "0:2-4g");
    EXPECT_EQ(set.kind, CheckpointKind::graceful);
    EXPECT_EQ(set.epoch, 2);
    EXPECT_EQ(set.step, 4);
    EXPECT_EQ(set.globalStep, 14);
    EXPECT_EQ(set.position, 14);
}

INSTANTIATE_TEST_SUITE_P(Versions, Graceful, testing::Values("2.7.0", "2.10.0"));

TEST(MindsporeSamples, RelaunchWithAStaleFlagIsASeparateAttempt)
{
    Corpus c;
    c.copy("dp4/2.7.0/graceful");
    for (int rank = 0; rank < 4; ++rank)
        for (const char *name : {"lenet_1-1_1.ckpt", "Other_train.ckpt"}) timeOf(c, rank, name, 3600);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report),
              "1:1-1 VALID; 1:1-1g VALID global_step_scalar; 0:2-4 VALID; 0:2-4g VALID global_step_scalar; "
              "0:1-10 VALID; 0:1-5 VALID");
    EXPECT_EQ(report.recommended, "1:1-1");
    EXPECT_THAT(report.recommendedText, HasSubstr("attempt 0 had reached further: 0:2-4"));
}

TEST(MindsporeSamples, ReadsAnUnreadGracefulSaveFirst)
{
    Corpus c;
    c.copy("dp4/2.10.0/graceful");
    const CheckpointReport report = c.judgeUnread();
    EXPECT_EQ(report.sets.front().id, "0:LeNet5g");
    EXPECT_EQ(c.judge().recommended, "0:2-4");
}

TEST(MindsporeSamples, SaveOfOneProcessIsValidInEveryVersion)
{
    for (const char *version : {"2.0.0", "2.7.0", "2.10.0"}) {
        Corpus c;
        c.copy(std::string("ckpt/") + version + "/append_info");
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(summary(report), "0:2-10 VALID; 0:2-5 VALID; 0:1-10 VALID; 0:1-5 VALID") << version;
        EXPECT_EQ(report.sets.front().position, 20) << version;
        EXPECT_EQ(report.sets.front().globalStep, 20) << version;
    }
}

TEST(MindsporeSamples, DistinguishesThreeRerunAttempts)
{
    for (const char *version : {"2.0.0", "2.7.0", "2.10.0"}) {
        Corpus c;
        c.copy(std::string("ckpt/") + version + "/rerun");
        for (const char *name : {"lenet_1-2_5.ckpt", "lenet_1-2_10.ckpt"}) timeOf(c, 0, name, 1000);
        for (const char *name : {"lenet_2-1_5.ckpt", "lenet_2-1_10.ckpt"}) timeOf(c, 0, name, 2000);
        const CheckpointReport report = c.judgeAll();
        EXPECT_EQ(report.recommended, "2:1-10") << summary(report);
        EXPECT_EQ(at(report, "1:2-10").verdict, Verdict::valid);
        EXPECT_EQ(at(report, "0:1-5").verdict, Verdict::valid);
    }
}

TEST(MindsporeSamples, PlainFilesOfMindSpore20DoNotProveTheirStep)
{
    Corpus c;
    c.copy("ckpt/2.0.0/plain");
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:1-10 VALID-UNPROVEN step_unproven; 0:1-5 VALID-UNPROVEN step_unproven");
    EXPECT_EQ(report.recommended, std::nullopt);
    Corpus newer;
    newer.copy("ckpt/2.7.0/plain");  // global_step counts there; the graph file is not a checkpoint
    EXPECT_EQ(summary(newer.judgeAll()), "0:1-10 VALID; 0:1-5 VALID");
}

TEST(MindsporeSamples, SinglePlainFileMayBeCutBetweenRecords)
{
    Corpus c;
    c.copy("ckpt/2.7.0/plain");
    c.remove("rank_0/lenet-1_5.ckpt");
    EXPECT_EQ(summary(c.judgeAll()), "0:1-10 VALID-UNPROVEN structure_unproven(0)");
}

TEST(MindsporeSamples, NaNWeightsAreNeverRecommended)
{
    for (const char *version : {"2.0.0", "2.7.0", "2.10.0"}) {
        Corpus c;
        c.copy(std::string("ckpt/") + version + "/nan");
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.recommended, "0:1-10") << version;
        EXPECT_EQ(summary(at(report, "0:2-10")), "0:2-10 CORRUPT nan_weights(0)") << version;
        EXPECT_EQ(summary(at(report, "0:2-5")), "0:2-5 CORRUPT nan_weights(0)") << version;
    }
}

TEST(MindsporeSamples, SaveKilledWhileWritingIsIncomplete)
{
    for (const char *version : {"2.7.0", "2.10.0"}) {
        Corpus c;
        c.copy(std::string("ckpt/") + version + "/killed_in_save");
        const CheckpointReport report = c.judge();
        EXPECT_EQ(summary(report), "0:1-10 INCOMPLETE temp_file(0); 0:1-5 VALID") << version;
        EXPECT_EQ(report.recommended, "0:1-5");
    }
}

TEST(MindsporeSamples, EncryptedFileIsUnknown)
{
    Corpus c;
    c.put("rank_0/lenet-1_10.ckpt", test::data("mindspore/ckpt/2.7.0/encrypted/encrypted_AES-GCM.ckpt"));
    EXPECT_EQ(summary(c.judge()), "0:1-10 UNKNOWN encrypted(0)");
}

TEST(MindsporeSamples, SafetensorsFilesAreJudgedLikeCkptFiles)
{
    for (const char *version : {"2.7.0", "2.10.0"}) {
        Corpus c;
        c.copy(std::string("ckpt/") + version + "/safetensors");
        EXPECT_EQ(summary(c.judgeAll()), "0:1-10 VALID; 0:1-5 VALID") << version;
    }
}

TEST(MindsporeSamples, ComparesTheChecksumOfASmallFile)
{
    Corpus c;
    c.copy("ckpt/2.7.0/crc");
    EXPECT_EQ(c.judge().recommended, "0:1-10");
    EXPECT_EQ(c.judge().sets.front().members[0].level, EvidenceLevel::L4);
}

TEST(MindsporeSamples, FindsSigtermSavesOutsideAndInsideTheRankFolder)
{
    Corpus newer;
    newer.copy("ckpt/2.7.0/sigterm");
    const CheckpointReport report = newer.judgeAll();
    EXPECT_EQ(report.sets.front().attempt, 1);
    for (const CheckpointSet &set : report.sets)
        if (set.kind == CheckpointKind::graceful) {
            EXPECT_EQ(set.globalStep, 4);
            EXPECT_EQ(set.verdict, Verdict::validUnproven) << summary(set);  // no mark of its end
        }
    Corpus older;
    older.copy("ckpt/2.0.0/sigterm");  // LeNet5_train.ckpt next to rank_0: one process, so it is of rank 0
    bool seen = false;
    for (const CheckpointSet &set : older.judgeAll().sets)
        seen = seen || (set.kind == CheckpointKind::graceful && set.members.size() == 1);
    EXPECT_TRUE(seen);
}

TEST(MindsporeSamples, StrategyFileIsNotACheckpointUnderAnyName)
{
    Corpus c;
    c.copy("dp4/2.7.0/sigkill");
    c.put("rank_0/ckpt_strategy_rank_0.ckpt", test::data("mindspore/strategy/ckpt_strategy_rank_0.ckpt"));
    c.put("rank_0/lenet-9_9.ckpt", test::data("mindspore/strategy/ckpt_strategy_rank_0.ckpt"));
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:1-10 VALID; 0:1-5 VALID");
    EXPECT_THAT(report.notes, testing::Contains(HasSubstr("strategy file")));
}

}  // namespace
}  // namespace rankdeck::mindspore_samples_test
