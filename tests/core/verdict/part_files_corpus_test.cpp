// SPDX-License-Identifier: GPL-3.0-or-later
// Files of ranks that are named as numbered parts of a total, and folders of one kind of rank. The contents are the
// files of a real run (DDP, two ranks).
#include "core/base/text.h"
#include "tests/core/verdict/corpus.h"

#include <gtest/gtest.h>

namespace rankdeck::part_files_corpus_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;

std::string fileOf(int step, int rank, const std::string &run = "a")
{
    return test::data("runs/" + run + "/rank_files/step_" + std::to_string(step) + "_rank_" + std::to_string(rank) +
                      ".pt");
}

std::string named(std::string form, int step, int rank)
{
    form = replaceAll(replaceAll(form, "STEP", std::to_string(step)), "RANK", std::to_string(rank));
    return replaceAll(form, "NEXT", std::to_string(rank + 1));
}

Corpus savedAs(const std::string &form)
{
    Corpus c;
    for (const int step : {10, 15})
        for (const int rank : {0, 1}) c.put(named(form, step, rank), fileOf(step, rank), 60 * step + rank, 0644);
    return c;
}

constexpr const char *forms[] = {"step_STEP/shard_RANK_of_2.pt", "step_STEP/part-0000NEXT-of-00002.pt",
                                 "model_step_STEP_shard_RANK_of_2.pt", "tp_rank_0RANK/step_STEP.pt",
                                 "mp_rank_RANK/model_STEP.pt"};

TEST(PartFiles, S09_NumberedFromZeroOrOneBelongToRanks)
{
    for (const std::string form : forms) {
        const CheckpointReport report = savedAs(form).judgeAll();
        ASSERT_EQ(report.sets.size(), 2u) << form << ": " << summary(report);
        for (const CheckpointSet &set : report.sets) {
            EXPECT_EQ(set.verdict, Verdict::valid) << form << ": " << summary(report);
            EXPECT_EQ(states(set), "ok ok") << form;
        }
        EXPECT_EQ(report.sets.front().globalStep, 15) << form;
    }
}

TEST(PartFiles, S09_ReportsALostOrForeignPart)
{
    for (const std::string form : forms)
        for (const int rank : {0, 1}) {
            const std::string path = named(form, 15, rank);
            const auto newest = [&](const std::function<void(Corpus &)> &change) {
                Corpus c = savedAs(form);
                change(c);
                const CheckpointReport report = c.judgeAll();
                for (const CheckpointSet &set : report.sets)
                    EXPECT_FALSE(set.globalStep == 15 && set.verdict == Verdict::valid)
                        << path << ": " << summary(report);
                return report.recommended.value_or("");
            };
            const std::string older = newest([&](Corpus &c) { c.remove(path); });
            EXPECT_TRUE(older.starts_with("0:10")) << path << ": " << older;
            newest([&](Corpus &c) { c.put(path, fileOf(10, rank), 900 + rank, 0644); });
            newest([&](Corpus &c) { c.put(path, fileOf(15, rank, "b"), 900 + rank, 0644); });
            newest([&](Corpus &c) { c.put(path, fileOf(15, 1 - rank), 900 + rank, 0644); });
            newest([&](Corpus &c) { c.edit(path, [](std::string &bytes) { bytes.resize(bytes.size() / 2); }); });
        }
}

// A number outside of the total, and parts without a known word, are not taken for ranks.
TEST(PartFiles, NumbersOutsideTheTotalAreNotRanks)
{
    for (const std::string form : {"step_STEP/shard_9_of_RANK.pt", "step_STEP/outof_RANK_of_2.pt"}) {
        const CheckpointReport report = savedAs(form).judgeAll();
        for (const CheckpointSet &set : report.sets) EXPECT_NE(set.verdict, Verdict::valid) << form << summary(report);
    }
}

}  // namespace
}  // namespace rankdeck::part_files_corpus_test
