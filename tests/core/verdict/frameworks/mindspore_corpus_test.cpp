// SPDX-License-Identifier: GPL-3.0-or-later
// Damage to a MindSpore checkpoint directory by kills, copies, clocks and users. The test names begin with their case
// in the corpus.
#include "tests/core/verdict/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace rankdeck::mindspore_corpus_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;
using testing::HasSubstr;

const std::string sampleFile = "mindspore/ckpt/2.7.0/append_info/rank_0/";

// Four ranks with two saves each, ten minutes apart; every file is complete.
struct FourRanks : Corpus {
    FourRanks()
    {
        copy("dp4/2.7.0/sigkill");
        for (int rank = 0; rank < 4; ++rank) {
            touch(file(rank, "1_5"), 600 + rank);
            touch(file(rank, "1_10"), 1200 + rank);
        }
    }
    static std::string file(int rank, const std::string &point)
    {
        return "rank_" + std::to_string(rank) + "/lenet-" + point + ".ckpt";
    }
    CheckpointSet newest() { return judgeAll().sets.front(); }
};

std::string reasonText(const CheckpointSet &set, const std::string &code)
{
    for (const Reason &reason : set.reasons)
        if (reason.code == code) return reason.text;
    return "no reason " + code;
}

TEST(MindsporeCorpus, N04_MissingRankFallsBackToTheCommonStep)
{
    FourRanks c;
    c.remove(c.file(2, "1_10"));
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:1-10 INCOMPLETE rank_missing(2) not_read; 0:1-5 VALID");
    EXPECT_EQ(report.recommended, "0:1-5");
    EXPECT_EQ(states(report.sets.front()), "unknown unknown missing unknown");
    EXPECT_THAT(reasonText(report.sets.front(), "rank_missing"), HasSubstr("rank 2 has no file; the others saved "));
}

TEST(MindsporeCorpus, N03_BreakpointOfSomeRanksIsNotMixedWithPeriodicFiles)
{
    FourRanks c;
    for (const int rank : {0, 1, 3})
        c.put("rank_" + std::to_string(rank) + "/lenet-2_3_breakpoint.ckpt",
              test::data("mindspore/dp4/2.7.0/raise/rank_1/lenet-2_3_breakpoint.ckpt"), 1300);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().id, "0:2-3b");
    EXPECT_EQ(report.sets.front().verdict, Verdict::incomplete);
    EXPECT_EQ(report.recommended, "0:1-10");
}

TEST(MindsporeCorpus, Z01_EmptyFileIsCorrupt)
{
    FourRanks c;
    c.edit(c.file(1, "1_10"), [](std::string &b) { b.clear(); });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().verdict, Verdict::corrupt);
    EXPECT_EQ(report.sets.front().members[1].state, MemberState::torn);
    EXPECT_EQ(report.sets.front().members[1].note, "0 bytes");
    EXPECT_EQ(report.recommended, "0:1-5");
}

TEST(MindsporeCorpus, Z02_RecommendsTheThirdSetIfTheTwoNewestAreEmpty)
{
    Corpus c;
    c.copy("dp4/2.7.0/resume");
    for (int rank = 0; rank < 4; ++rank) {
        for (const char *name : {"1-3_5", "1-3_10", "1-4_5", "1-4_10"})
            c.touch("rank_" + std::to_string(rank) + "/lenet_" + name + ".ckpt", 5000);
        for (const char *name : {"1-4_5", "1-4_10"})
            c.edit("rank_" + std::to_string(rank) + "/lenet_" + name + ".ckpt", [](std::string &b) { b.clear(); });
    }
    EXPECT_EQ(c.judge().recommended, "1:3-10");
}

TEST(MindsporeCorpus, Z03_FileThatIsOneByteShortIsCorrupt)
{
    FourRanks c;
    c.edit(c.file(3, "1_10"), [](std::string &b) { b.pop_back(); });
    const CheckpointSet set = c.newest();
    EXPECT_EQ(summary(set), "0:1-10 CORRUPT torn(3)");
    EXPECT_EQ(states(set), "ok ok ok torn");
    EXPECT_EQ(set.members[3].note, "1 B short");
}

TEST(MindsporeCorpus, Z04_FileThatIsTooLongIsCorrupt)
{
    FourRanks c;
    c.edit(c.file(0, "1_10"), [](std::string &b) { b += std::string(64, '\0'); });
    EXPECT_EQ(summary(c.newest()), "0:1-10 CORRUPT torn(0)");
}

TEST(MindsporeCorpus, F01_FileOfOneRankCutAtAnyLengthIsNeverValid)
{
    FourRanks whole;
    const std::string bytes = whole.bytes(whole.file(1, "1_10"));
    for (std::size_t length = 0; length < bytes.size(); length += 37) {
        FourRanks c;
        c.edit(c.file(1, "1_10"), [length](std::string &b) { b.resize(length); });
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.sets.front().verdict, Verdict::corrupt) << length;
        EXPECT_EQ(report.recommended, "0:1-5") << length;
    }
}

TEST(MindsporeCorpus, F08_DetectsACutBetweenRecordsByComparingRanks)
{
    FourRanks whole;
    const std::vector<std::size_t> boundaries = test::recordBoundaries(whole.bytes(whole.file(2, "1_10")));
    for (std::size_t i = 1; i + 1 < boundaries.size(); ++i) {
        FourRanks c;
        c.edit(c.file(2, "1_10"), [&](std::string &b) { b.resize(boundaries[i]); });
        const CheckpointSet set = c.newest();
        EXPECT_EQ(summary(set), "0:1-10 CORRUPT torn(2) structure_mismatch(2)") << i;
        EXPECT_EQ(states(set), "ok ok torn ok");
        EXPECT_THAT(reasonText(set, "torn"), HasSubstr("of the 11 tensors"));
    }
}

TEST(MindsporeCorpus, F08_DetectsACutInAllRanksByComparingThePreviousSet)
{
    FourRanks c;
    for (int rank = 0; rank < 4; ++rank)
        c.edit(c.file(rank, "1_10"), [](std::string &b) { b.resize(test::recordBoundaries(b)[5]); });
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets.front().verdict, Verdict::corrupt);
    EXPECT_EQ(report.recommended, "0:1-5");
}

TEST(MindsporeCorpus, F08_DetectsACutOfASingleProcessByComparingThePreviousSet)
{
    Corpus c;
    c.copy("ckpt/2.7.0/plain");
    c.edit("rank_0/lenet-1_10.ckpt", [](std::string &b) { b.resize(test::recordBoundaries(b)[7]); });
    EXPECT_EQ(summary(c.judgeAll()),
              "0:1-10 CORRUPT torn(0) structure_mismatch(0); 0:1-5 VALID-UNPROVEN structure_unproven(0)");
}

TEST(MindsporeCorpus, F12_ReportsAZeroedRangeInASmallFileWithAChecksum)
{
    Corpus c;
    c.copy("ckpt/2.7.0/crc");
    c.edit("rank_0/lenet-1_10.ckpt", [](std::string &b) { std::fill(b.begin() + 300, b.begin() + 340, '\0'); });
    EXPECT_EQ(summary(c.judge()), "0:1-10 CORRUPT crc_bad(0); 0:1-5 VALID");
}

// Without a checksum: a run of zeros that cannot be a valid row causes a doubt if the sample covers it.
TEST(MindsporeCorpus, F12_DoubtsAZeroedRangeAmongTheWeights)
{
    const auto file = [](std::size_t from, std::size_t length) {
        std::string weights(std::size_t{64} * 256 * 4, '\x11');
        std::fill_n(weights.begin() + std::ptrdiff_t(from), length, '\0');
        return test::record("fc.weight", "Float32", {64, 256}, weights) +
               test::record("fc.bias", "Float32", {64}, std::string(256, '\0')) +
               test::record("moments.fc.weight", "Float32", {64, 256}, std::string(65536, '\0')) +
               test::int64Record("epoch_num", 1) + test::int64Record("step_num", 10);
    };
    const auto verdict = [&](std::size_t from, std::size_t length) {
        Corpus c;
        for (int rank = 0; rank < 2; ++rank)
            c.put("rank_" + std::to_string(rank) + "/net-1_10.ckpt", rank == 1 ? file(from, length) : file(0, 0), 10);
        return summary(c.judge());
    };
    EXPECT_EQ(verdict(0, 0), "0:1-10 VALID");
    EXPECT_EQ(verdict(200, 200), "0:1-10 VALID-UNPROVEN zero_region(1)");
    EXPECT_EQ(verdict(std::size_t{1024} * 2, 2048), "0:1-10 VALID-UNPROVEN zero_region(1)");  // two rows
    EXPECT_EQ(verdict(65536 - 200, 200), "0:1-10 VALID-UNPROVEN zero_region(1)");
    EXPECT_EQ(verdict(1024, 1024), "0:1-10 VALID");  // one row: the padding of an embedding
    EXPECT_EQ(verdict(300, 100), "0:1-10 VALID");    // few enough to be a coincidence
    EXPECT_EQ(verdict(0, 65536), "0:1-10 VALID-UNPROVEN zero_weights(1)");
}

// The files of all ranks were cut after the weights, and there is no other save to compare them with.
TEST(MindsporeCorpus, F08_DetectsFilesCutAfterTheWeightsInAllRanks)
{
    const std::string bytes = test::data("mindspore/ckpt/2.7.0/plain/rank_0/lenet-1_10.ckpt");
    const std::vector<std::size_t> ends = test::recordBoundaries(bytes);
    for (const std::size_t records : {std::size_t(3), std::size_t(4), std::size_t(5)}) {
        Corpus c;
        for (int rank = 0; rank < 4; ++rank) c.put(FourRanks::file(rank, "1_10"), bytes.substr(0, ends[records]), 10);
        const CheckpointReport report = c.judge();
        EXPECT_EQ(report.sets.front().verdict, Verdict::validUnproven) << records << ": " << summary(report);
        EXPECT_THAT(reasonText(report.sets.front(), "weights_only"), HasSubstr("nothing of an optimizer"));
        EXPECT_EQ(report.recommended, std::nullopt);
    }
    Corpus whole;
    for (int rank = 0; rank < 4; ++rank) whole.put(FourRanks::file(rank, "1_10"), bytes, 10);
    EXPECT_EQ(whole.judge().recommended, "0:1-10");
}

TEST(MindsporeCorpus, N01_RankBehindWithEqualSizesIsInconsistent)
{
    FourRanks c;
    c.put(c.file(3, "1_10"), c.bytes(c.file(3, "1_5")), 1203);
    const CheckpointSet set = c.newest();
    EXPECT_EQ(set.members[3].bytes, set.members[0].bytes);
    EXPECT_EQ(summary(set), "0:1-10 INCONSISTENT step_mismatch(3) step_mismatch(3)");
    EXPECT_EQ(states(set), "ok ok ok mismatch");
    EXPECT_EQ(c.judge().recommended, "0:1-5");
}

TEST(MindsporeCorpus, N02_DetectsAGracefulSaveFromThePreviousExitInOneRank)
{
    Corpus c;
    c.copy("dp4/2.10.0/graceful");
    c.put("rank_1/LeNet5_train.ckpt", test::data("mindspore/ckpt/2.10.0/graceful/rank_0/LeNet5_train.ckpt"), 0);
    const CheckpointReport report = c.judgeAll();
    for (const CheckpointSet &set : report.sets)
        if (set.kind == CheckpointKind::graceful) {
            EXPECT_EQ(set.verdict, Verdict::inconsistent) << summary(set);
            EXPECT_EQ(set.members[1].state, MemberState::mismatch);
        }
    EXPECT_EQ(report.recommended, "0:2-4");
}

TEST(MindsporeCorpus, C04_NameThatContradictsTheContentIsInconsistent)
{
    FourRanks c;
    for (int rank = 0; rank < 4; ++rank) c.put(c.file(rank, "7_10"), c.bytes(c.file(rank, "1_10")), 9000);
    const CheckpointSet set = c.newest();
    EXPECT_EQ(summary(set), "0:7-10 INCONSISTENT epoch_mismatch");
    EXPECT_EQ(c.judge().recommended, "0:1-10");
}

TEST(MindsporeCorpus, C04_StepInTheNameThatContradictsStepNumIsInconsistent)
{
    FourRanks c;
    c.expected.stepsPerEpoch = 10;
    for (int rank = 0; rank < 4; ++rank) c.put(c.file(rank, "1_7"), c.bytes(c.file(rank, "1_10")), 1100);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(*report.find("0:1-7")), "0:1-7 INCONSISTENT step_mismatch");
}

TEST(MindsporeCorpus, N11_OneRankWithAnotherTypeIsInconsistent)
{
    FourRanks c;
    c.edit(c.file(1, "1_10"), [](std::string &b) {
        b = test::record("conv1.weight", "BFloat16", {2, 1, 5, 5}, std::string(100, '\x3c')) +
            b.substr(test::recordBoundaries(b)[1]);
    });
    EXPECT_EQ(summary(c.newest()), "0:1-10 INCONSISTENT structure_mismatch(1)");
}

TEST(MindsporeCorpus, N05_ReportsAShardOfAnotherModel)
{
    FourRanks c;
    const auto shard = [](std::int64_t step) {
        return test::record("encoder.weight", "Float32", {4}, std::string(16, '\x3c')) +
               test::int64Record("epoch_num", 1) + test::int64Record("step_num", step);
    };
    c.put(c.file(2, "1_10"), shard(10), 1202);
    const CheckpointSet set = c.newest();
    EXPECT_EQ(set.verdict, Verdict::inconsistent) << summary(set);
    EXPECT_EQ(set.members[2].state, MemberState::mismatch);
    EXPECT_THAT(reasonText(set, "structure_mismatch"), HasSubstr("encoder.weight"));
}

std::string part(int stage, std::int64_t step)
{
    return test::record("layer" + std::to_string(stage) + ".weight", "Float32", {4}, std::string(16, '\x3c')) +
           test::int64Record("epoch_num", 1) + test::int64Record("step_num", step);
}

TEST(MindsporeCorpus, ModelParallelRanksMayDifferIfEachEqualsItsPreviousSave)
{
    Corpus c;
    for (int rank = 0; rank < 4; ++rank)
        for (const std::int64_t step : {5, 10})
            c.put(FourRanks::file(rank, "1_" + std::to_string(step)), part(rank, step), step);
    EXPECT_EQ(summary(c.judgeAll()), "0:1-10 VALID; 0:1-5 VALID");
    EXPECT_EQ(c.judge().recommended, "0:1-10");
}

TEST(MindsporeCorpus, ModelParallelSetWithoutAPreviousSaveIsUnproven)
{
    Corpus c;
    for (int rank = 0; rank < 4; ++rank) c.put(FourRanks::file(rank, "1_10"), part(rank, 10), 10);
    EXPECT_EQ(summary(c.judge()), "0:1-10 VALID-UNPROVEN structure_mismatch");
}

TEST(MindsporeCorpus, DetectsAModelParallelShardOfAnotherStage)
{
    Corpus c;
    for (int rank = 0; rank < 4; ++rank)
        for (const std::int64_t step : {4, 5, 10})
            c.put(FourRanks::file(rank, "1_" + std::to_string(step)), part(rank, step), step);
    c.put(FourRanks::file(3, "1_10"), part(9, 10), 10);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:1-10 INCONSISTENT structure_mismatch(3); 0:1-5 VALID; 0:1-4 VALID");
    EXPECT_EQ(states(report.sets.front()), "ok ok ok mismatch");
}

// Two sets that disagree about one rank: nothing shows which of them is right.
TEST(MindsporeCorpus, TwoDisagreeingModelParallelSetsAreNotRecommended)
{
    Corpus c;
    for (int rank = 0; rank < 4; ++rank)
        for (const std::int64_t step : {5, 10})
            c.put(FourRanks::file(rank, "1_" + std::to_string(step)), part(rank, step), step);
    c.put(FourRanks::file(3, "1_10"), part(9, 10), 10);
    EXPECT_EQ(c.judgeAll().recommended, std::nullopt);
}

TEST(MindsporeCorpus, V01_NaNInOneRankIsCorrupt)
{
    FourRanks c;
    c.edit(c.file(0, "1_10"), [](std::string &b) {
        const float nan = std::nanf("");
        std::memcpy(b.data() + 100, &nan, 4);
    });
    const CheckpointSet set = c.newest();
    EXPECT_EQ(summary(set), "0:1-10 CORRUPT nan_weights(0)");
    EXPECT_EQ(set.members[0].note, "NaN weights");
}

TEST(MindsporeCorpus, C05_RunCounterIsNotAnEpoch)
{
    Corpus c;
    c.put("rank_0/lenet-6_5.ckpt", part(0, 55), 100);
    c.edit("rank_0/lenet-6_5.ckpt", [](std::string &b) {
        b = test::record("w", "Int8", {1}, "x") + test::int64Record("epoch_num", 6) + test::int64Record("step_num", 55);
    });
    c.put("rank_0/lenet-1-7_5.ckpt",
          test::record("w", "Int8", {1}, "x") + test::int64Record("epoch_num", 7) + test::int64Record("step_num", 65),
          200);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().id, "1:7-5") << summary(report);
    EXPECT_EQ(report.recommended, "1:7-5");
    EXPECT_NE(report.find("0:6-5"), nullptr);
}

TEST(MindsporeCorpus, C06_OrderDoesNotDependOnTimes)
{
    FourRanks c;
    for (int rank = 0; rank < 4; ++rank) c.touch(c.file(rank, "1_5"), 90'000);
    EXPECT_EQ(c.judge().recommended, "0:1-10");
}

TEST(MindsporeCorpus, C07_TimesInTheFutureAndIn1980ChangeNothing)
{
    FourRanks c;
    for (int rank = 0; rank < 4; ++rank) c.touch(c.file(rank, "1_5"), 9'000'000);
    for (int rank = 0; rank < 4; ++rank) c.touch(c.file(rank, "1_10"), -1'300'000'000);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.recommended, "0:1-10");
    EXPECT_THAT(reasonText(*report.find("0:1-5"), "future_time"), HasSubstr("in the future"));
    EXPECT_EQ(report.find("0:1-5")->verdict, Verdict::valid);
}

TEST(MindsporeCorpus, P01_GrowingFileIsInProgress)
{
    FourRanks c;
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 1210 * test::second);
    FileEntry &entry = c.entry(c.file(3, "1_10"));
    entry.stat.size -= 700;  // the listing is older than the read
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().verdict, Verdict::inProgress) << summary(report);
    EXPECT_EQ(report.sets.front().members[3].state, MemberState::inProgress);
    EXPECT_EQ(report.recommended, "0:1-5");
}

TEST(MindsporeCorpus, P02_TmpFileIsInProgressOrIncompleteIfTheJobHasEnded)
{
    FourRanks c;
    c.remove(c.file(1, "1_10"));
    c.put("rank_1/lenet-1_10.tmp", test::data(sampleFile + "lenet-1_10.ckpt").substr(0, 1000), 1201, 0600);
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 1210 * test::second);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::inProgress);
    EXPECT_EQ(c.judge().sets.front().members[1].state, MemberState::inProgress);
    c.expected.running = false;
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 5000 * test::second);
    const CheckpointReport old = c.judge();
    EXPECT_EQ(old.sets.front().verdict, Verdict::incomplete);
    EXPECT_EQ(old.sets.front().reasons.front().code, ReasonCode("temp_file"));
}

TEST(MindsporeCorpus, P02_RecentInPlaceWriteIsInProgressAndAnOldOneCorrupt)
{
    FourRanks c;
    c.edit(c.file(0, "1_10"), [](std::string &b) { b.resize(1500); });
    c.chmod(c.file(0, "1_10"), 0600);
    c.touch(c.file(0, "1_10"), 1200);
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 1230 * test::second);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::inProgress);
    c.expected.running = false;
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::corrupt);
}

TEST(MindsporeCorpus, P03_MissingRanksAreInProgressOnlyForSeconds)
{
    FourRanks c;
    c.remove(c.file(3, "1_10"));
    c.expected.running = true;
    c.expected.now = wallFromNs(test::epoch0 + 1205 * test::second);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::inProgress);
    c.expected.now = wallFromNs(test::epoch0 + 1300 * test::second);
    EXPECT_EQ(c.judge().sets.front().verdict, Verdict::incomplete);
}

TEST(MindsporeCorpus, PrunedByRetentionRaisesNoAlarm)
{
    FourRanks c;
    c.remove(c.file(0, "1_5"));
    c.remove(c.file(1, "1_5"));
    c.expected.completeBefore = {"0:1-5", "0:1-10"};
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.recommended, "0:1-10");
    EXPECT_EQ(report.sets[1].reasons.front().code, ReasonCode("pruned"));
}

TEST(MindsporeCorpus, S05_LeftoversOfALargerWorldAreReported)
{
    FourRanks c;
    c.expected.worldSize = 2;
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.worldSize, 2);
    EXPECT_EQ(report.worldSizeFrom, "job");
    EXPECT_EQ(report.recommended, "0:1-10");
    EXPECT_THAT(report.notes, testing::Contains(HasSubstr("beyond the world size of 2")));
}

TEST(MindsporeCorpus, S01_WorldLargerThanTheDirectoriesIsIncomplete)
{
    FourRanks c;
    c.expected.worldSize = 8;
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().verdict, Verdict::incomplete);
    EXPECT_EQ(report.sets.front().members.size(), 8u);
    EXPECT_EQ(report.recommended, std::nullopt);
}

TEST(MindsporeCorpus, U01_PermissionDeniedIsUnknownNotMissing)
{
    FourRanks c;
    c.entry(c.file(2, "1_10")).error = "Permission denied";
    const CheckpointSet set = c.newest();
    EXPECT_EQ(summary(set), "0:1-10 UNKNOWN unreadable(2)");
    EXPECT_EQ(set.members[2].state, MemberState::unreadable);
}

TEST(MindsporeCorpus, U02_EncryptedSetIsUnknownAndAnOlderSetIsRecommended)
{
    FourRanks c;
    for (int rank = 0; rank < 4; ++rank)
        c.put(c.file(rank, "1_10"), test::data("mindspore/ckpt/2.7.0/encrypted/encrypted_AES-CBC.ckpt"), 1200);
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().verdict, Verdict::unknown);
    EXPECT_EQ(report.sets.front().reasons.front().code, ReasonCode("encrypted"));
    EXPECT_EQ(report.recommended, "0:1-5");
}

TEST(MindsporeCorpus, GarbageUnderACheckpointNameIsCorrupt)
{
    FourRanks c;
    c.put(c.file(1, "1_10"), "this is a log line, not a checkpoint\n", 1200);
    EXPECT_EQ(summary(c.newest()), "0:1-10 CORRUPT not_a_checkpoint(1)");
}

std::string ttp(int rank, std::int64_t curRank)
{
    return "tft_saved_checkpoints-step_13/rank_" + std::to_string(rank) + "/ttp_rank_" + std::to_string(rank) +
           "-2_3.ckpt|" + test::record("w", "Float32", {4}, std::string(16, '\x3c')) +
           test::record("global_step", "Int32", {1}, std::string("\x0d\0\0\0", 4)) + test::int64Record("epoch_num", 2) +
           test::int64Record("step_num", 13) + test::int64Record("cur_rank", curRank);
}

void putTtp(Corpus &c, int rank, std::int64_t curRank)
{
    const std::string both = ttp(rank, curRank);
    c.put(both.substr(0, both.find('|')), both.substr(both.find('|') + 1), 2000);
}

TEST(MindsporeCorpus, TtpSubsetIsIncompleteWithoutProofAndValidWithReplicaGroups)
{
    Corpus c;
    c.expected.worldSize = 4;
    for (const int rank : {0, 3}) putTtp(c, rank, rank);
    EXPECT_EQ(summary(c.judge()), "0:2-3t INCOMPLETE rank_missing(1) rank_missing(2) replica_missing not_read");
    c.expected.replicaGroups = {{0, 2}, {1, 3}};
    const CheckpointReport report = c.judge();
    EXPECT_EQ(summary(report), "0:2-3t VALID");
    EXPECT_EQ(states(report.sets.front()), "ok replica replica ok");
    EXPECT_EQ(report.sets.front().members[1].fromRank, 3);
    EXPECT_THAT(report.sets.front().members[2].path, HasSubstr("ttp_rank_0-2_3.ckpt"));
    c.expected.replicaGroups = {{0, 2}, {1}, {3}};
    EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::incomplete);
}

TEST(MindsporeCorpus, TtpFileOfAnotherRankIsInconsistent)
{
    Corpus c;
    for (const int rank : {0, 1}) putTtp(c, rank, 0);
    EXPECT_EQ(summary(c.judge()), "0:2-3t INCONSISTENT rank_mismatch(1)");
}

TEST(MindsporeCorpus, TtpFolderThatWasNeverRenamedIsNotConfirmed)
{
    Corpus c;
    for (const int rank : {0, 1}) {
        const std::string both = ttp(rank, rank);
        std::string path = both.substr(0, both.find('|'));
        path.replace(path.find("step_13"), 7, "step_13_tmp");
        c.put(path, both.substr(both.find('|') + 1), 2000);
    }
    EXPECT_EQ(summary(c.judge()), "0:2-3t INCOMPLETE temp_file(0) temp_file(1)");
}

// Separate disks on each node: the controller, on node b, has renamed only its own folder.
TEST(MindsporeCorpus, TtpFolderRenamedOnTheControllerNodeCountsForOtherNodes)
{
    const auto inventoryOf = [](bool shared, bool renamed) {
        Job job;
        job.pathsShared = shared;
        job.nodes = {{.name = "a", .host = "local", .ranks = {0}}, {.name = "b", .host = "local", .ranks = {1}}};
        job.checkpoints.path = "/job/ckpt";
        std::vector<NodeListing> listings;
        for (const int rank : {0, 1}) {
            const std::string node = rank == 0 ? "a" : "b";
            const std::string folder =
                std::string("/job/ckpt/ttp_saved_checkpoints-step_13") + (rank == 1 && renamed ? "" : "_tmp");
            Listing listing;
            listing.root = "/job/ckpt";
            const std::string name = "ttp_rank_" + std::to_string(rank) + "-2_3.ckpt";
            listing.entries.push_back({.path = folder + "/rank_" + std::to_string(rank) + "/" + name,
                                       .stat = {.kind = 'f', .size = 100, .mtimeNs = 1}});
            listings.emplace_back(node, listing);
        }
        return buildInventory(job, listings);
    };
    for (const Member &member : inventoryOf(false, true).members) EXPECT_FALSE(member.name.temporary) << member.node;
    for (const Member &member : inventoryOf(false, false).members) EXPECT_TRUE(member.name.temporary) << member.node;
    int left = 0;
    for (const Member &member : inventoryOf(true, true).members) left += member.name.temporary ? 1 : 0;
    EXPECT_EQ(left, 1);
}

TEST(MindsporeCorpus, B01_JudgesAThousandRanksInOneRoundOfReads)
{
    Corpus c;
    const std::string bytes = test::data(sampleFile + "lenet-1_10.ckpt");
    for (int rank = 0; rank < 1024; ++rank) c.put(FourRanks::file(rank, "1_10"), bytes, rank);
    EXPECT_EQ(c.judge().recommended, "0:1-10");
    EXPECT_EQ(c.rounds, 1);
    EXPECT_LT(c.bytesRead(), 1024u * 8192u);
}

}  // namespace
}  // namespace rankdeck::mindspore_corpus_test
