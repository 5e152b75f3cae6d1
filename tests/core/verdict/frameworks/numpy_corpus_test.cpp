// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of NumPy's archives, one per rank: real files of tests/data/numpy.
#include "tests/core/verdict/corpus.h"

#include <gtest/gtest.h>

namespace rankdeck::numpy_corpus_test {
namespace {

using test::Corpus;
using test::states;
using test::summary;

std::string pathOf(int rank, int step)
{
    return "rank_" + std::to_string(rank) + "/state_step_" + std::to_string(step) + ".npz";
}

void putAll(Corpus &c)
{
    for (int rank = 0; rank < 2; ++rank)
        for (const int step : {100, 200}) c.put(pathOf(rank, step), test::data("numpy/" + pathOf(rank, step)), step);
}

TEST(NumpyCorpus, HealthySetsAreValidAndTheNewestIsChosen)
{
    Corpus c;
    putAll(c);
    const CheckpointReport report = c.judge();
    ASSERT_EQ(report.sets.size(), 2u) << summary(report);
    EXPECT_EQ(report.sets[0].verdict, Verdict::valid) << summary(report);
    EXPECT_EQ(report.sets[0].globalStep, 200);
}

TEST(NumpyCorpus, Z03_FileThatIsOneByteShortIsCorrupt)
{
    Corpus c;
    putAll(c);
    c.edit(pathOf(1, 200), [](std::string &bytes) { bytes.pop_back(); });
    const CheckpointReport report = c.judge();
    EXPECT_EQ(report.sets[0].verdict, Verdict::corrupt) << summary(report);
    EXPECT_EQ(states(report.sets[0]), "ok torn");
}

TEST(NumpyCorpus, S01_RankWithoutItsFileIsIncomplete)
{
    Corpus c;
    putAll(c);
    c.remove(pathOf(0, 200));
    EXPECT_EQ(c.judge().sets[0].verdict, Verdict::incomplete);
}

TEST(NumpyCorpus, C04_NameThatContradictsTheContentIsInconsistent)
{
    Corpus c;
    putAll(c);
    c.put(pathOf(1, 200), test::data("numpy/" + pathOf(1, 100)), 200);
    const CheckpointReport report = c.judge();
    EXPECT_NE(summary(report).find("INCONSISTENT step_mismatch"), std::string::npos) << summary(report);
    EXPECT_NE(report.sets[0].globalStep, 200) << "the newest whole set is the one before";
}

}  // namespace
}  // namespace rankdeck::numpy_corpus_test
