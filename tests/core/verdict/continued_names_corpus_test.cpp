// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of MindSpore that were resumed. They name their files from epoch 1 again, while epoch_num and step_num count on.
#include "tests/core/checkpoint/local_files.h"
#include "tests/core/verdict/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankdeck::continued_names_corpus_test {
namespace {

using test::Corpus;
using test::summary;
using testing::HasSubstr;

std::string content(std::int64_t epoch, std::int64_t step, int value)
{
    return test::record("weight", "Float32", {4}, std::string(16, static_cast<char>(value))) +
           test::int64Record("epoch_num", epoch) + test::int64Record("step_num", step);
}

// Two ranks, five steps an epoch: three epochs, then two more after a resume from the third.
struct Resumed : Corpus {
    Resumed()
    {
        expected.stepsPerEpoch = 5;
        for (int epoch = 1; epoch <= 3; ++epoch)
            save("resnet-" + std::to_string(epoch) + "_5", epoch, std::int64_t(epoch) * 5, epoch);
        for (int epoch = 4; epoch <= 5; ++epoch)
            save("resnet_1-" + std::to_string(epoch - 3) + "_5", epoch, std::int64_t(epoch) * 5, epoch);
    }
    static std::string file(int rank, const std::string &name)
    {
        return "ckpt_" + std::to_string(rank) + "/" + name + ".ckpt";
    }
    void save(const std::string &name, std::int64_t epoch, std::int64_t step, int at)
    {
        for (int rank = 0; rank < 2; ++rank)
            put(file(rank, name), content(epoch, step, 40 + at + 20 * rank), at * 600 + rank);
    }
};

TEST(ContinuedNames, UsesContinuedStepCountsOfTheContent)
{
    Resumed c;
    const CheckpointReport all = c.judgeAll();
    EXPECT_EQ(summary(all), "1:2-5 VALID; 1:1-5 VALID; 0:3-5 VALID; 0:2-5 VALID; 0:1-5 VALID");
    const CheckpointSet &newest = all.sets.front();
    EXPECT_EQ(newest.epoch, 5);
    EXPECT_EQ(newest.step, 5);
    EXPECT_EQ(newest.position, 25);
    EXPECT_THAT(all.notes, testing::Contains(HasSubstr("continues to count inside them: 3 epochs are added")));
    const CheckpointReport asWanted = c.judge();  // reads the newest first
    EXPECT_EQ(asWanted.recommended, "1:2-5");
    EXPECT_TRUE(asWanted.settled);
}

TEST(ContinuedNames, FirstSaveOfAResumedRunContinuesFromThePreviousSave)
{
    Resumed c;
    for (int rank = 0; rank < 2; ++rank) c.remove(Resumed::file(rank, "resnet_1-2_5"));
    EXPECT_EQ(summary(c.judgeAll().sets.front()), "1:1-5 VALID");
    for (int rank = 0; rank < 2; ++rank)  // no earlier save reached epoch 9
        c.put(Resumed::file(rank, "resnet_1-1_5"), content(10, 50, 44 + 20 * rank), 2400 + rank);
    EXPECT_EQ(summary(c.judgeAll().sets.front()), "1:1-5 INCONSISTENT epoch_mismatch");
}

// The only save in a folder of its own: there is no earlier attempt to continue from, and no second save to continue
// the count.
TEST(ContinuedNames, SingleSaveOfAResumedRunIsUnprovenUntilTheNextSave)
{
    for (const std::int64_t told : {0, 5}) {
        Corpus c;
        c.expected.stepsPerEpoch = told;
        const auto save = [&](const std::string &point, int epoch, int step) {
            for (int rank = 0; rank < 2; ++rank)
                c.put(Resumed::file(rank, "resnet-" + point), content(epoch, step, 40 + epoch + 20 * rank),
                      epoch * 600 + rank);
        };
        save("1_5", 4, 20);
        CheckpointReport report = c.judgeAll();
        EXPECT_EQ(summary(report), "0:1-5 VALID-UNPROVEN step_unproven") << told;
        EXPECT_EQ(report.sets.front().epoch, 4);
        EXPECT_THAT(report.sets.front().reasons.front().text, HasSubstr("epoch 1, but the content has epoch_num 4"));
        save("2_5", 5, 25);
        EXPECT_EQ(summary(c.judgeAll()), "0:2-5 VALID; 0:1-5 VALID") << told;
    }
}

TEST(ContinuedNames, SingleSaveMustHaveConsistentCounts)
{
    struct Case {
        std::int64_t told, epoch, step;
        const char *verdict;
    };
    for (const Case &of :
         {Case{0, 4, 21, "INCONSISTENT"}, Case{5, 4, 24, "INCONSISTENT"}, Case{0, 4, 11, "INCONSISTENT"},
          Case{6, 4, 20, "INCONSISTENT"}, Case{0, 4, 23, "VALID-UNPROVEN"}}) {
        Corpus c;
        c.expected.stepsPerEpoch = of.told;
        for (int rank = 0; rank < 2; ++rank)
            c.put(Resumed::file(rank, "resnet-1_5"), content(of.epoch, of.step, 44 + 20 * rank), 2400 + rank);
        EXPECT_THAT(summary(c.judgeAll()), HasSubstr(of.verdict)) << of.told << " " << of.step;
    }
    Corpus c;  // one rank has a file of another point
    for (int rank = 0; rank < 2; ++rank)
        c.put(Resumed::file(rank, "resnet-1_5"), content(4 + rank, 20 + 5 * rank, 44 + 20 * rank), 2400 + rank);
    EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::inconsistent);
}

TEST(ContinuedNames, OneRankFromAnotherStepIsInconsistent)
{
    Resumed c;
    c.put(Resumed::file(1, "resnet_1-2_5"), c.bytes(Resumed::file(1, "resnet_1-1_5")), 3001);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.sets.front().verdict, Verdict::inconsistent) << summary(report);
    EXPECT_EQ(report.recommended, "1:1-5");
}

TEST(ContinuedNames, RenamedSetAmongOthersIsInconsistent)
{
    Resumed c;
    for (int rank = 0; rank < 2; ++rank) c.put(Resumed::file(rank, "resnet_1-3_5"), content(4, 20, 44), 3600 + rank);
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(report.find("1:3-5")->verdict, Verdict::inconsistent) << summary(report);
    for (int rank = 0; rank < 2; ++rank) c.put(Resumed::file(rank, "resnet-1_5"), content(2, 10, 42), 600 + rank);
    EXPECT_EQ(c.judgeAll().find("0:1-5")->verdict, Verdict::inconsistent);
}

TEST(ContinuedNames, AcceptsARunThatContinuesInTheMiddleOfAnEpoch)
{
    Resumed c;
    for (int rank = 0; rank < 2; ++rank)  // continued from step 13 of the run, with new epochs from there
        for (int epoch = 4; epoch <= 5; ++epoch)
            c.put(Resumed::file(rank, "resnet_1-" + std::to_string(epoch - 3) + "_5"),
                  content(epoch, 13 + (epoch - 3) * 5, 40 + epoch + 20 * rank), epoch * 600 + rank);
    EXPECT_EQ(c.judgeAll().recommended, "1:2-5");
    for (int rank = 0; rank < 2; ++rank)
        c.put(Resumed::file(rank, "resnet_1-3_5"), content(6, 29, 46 + 20 * rank), 3600 + rank);
    EXPECT_EQ(summary(c.judgeAll().sets.front()), "1:3-5 INCONSISTENT step_mismatch");
}

// Two runs in the folders of the ranks, with the first run or without it, sometimes as close as two files of one save.
TEST(ContinuedNames, PropertyRunsThatFollowQuicklyAreNotPartsOfASave)
{
    for (const int first : {0, 1, 2})
        for (const int ranks : {2, 4})
            for (const int pause : {60, 300, 3000}) {
                Corpus c;
                for (int run = first; run < first + 2; ++run)
                    for (int save = 1; save <= 3; ++save)
                        for (int rank = 0; rank < ranks; ++rank)
                            c.put("rank_" + std::to_string(rank) + "/lenet" +
                                      (run == 0 ? "" : "_" + std::to_string(run)) + "-" + std::to_string(save) +
                                      "_5.ckpt",
                                  content(save, 5 * save, 40 + 30 * run + save + 7 * rank),
                                  run * pause + save * 20 + rank);
                const CheckpointReport report = c.judgeAll();
                SCOPED_TRACE(std::to_string(first) + " " + std::to_string(ranks) + " ranks, " + std::to_string(pause) +
                             " s: " + summary(report));
                EXPECT_EQ(report.sets.size(), 6u);
                for (const CheckpointSet &set : report.sets) EXPECT_EQ(set.verdict, Verdict::valid);
            }
}

TEST(ContinuedNames, UnreadSaveOfTheRunIsTheNewest)
{
    Resumed c;
    c.judgeAll();
    c.save("resnet_1-3_5", 6, 30, 6);
    c.refuse(Resumed::file(0, "resnet_1-3_5"), "Input/output error");
    c.refuse(Resumed::file(1, "resnet_1-3_5"), "Input/output error");
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets.front().id, "1:3-5") << summary(report);
    EXPECT_EQ(report.sets.front().epoch, 6);
}

}  // namespace
}  // namespace rankdeck::continued_names_corpus_test
