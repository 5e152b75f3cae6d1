// SPDX-License-Identifier: GPL-3.0-or-later
// Two files per rank: FSDP's local state dicts, or verl's actor and critic. Every rank needs both files, of one
// step.
#include "tests/core/verdict/corpus.h"
#include "tests/core/verdict/torch_files.h"

#include <gtest/gtest.h>

namespace rankdeck::rank_halves_corpus_test {
namespace {

namespace pkl = test::pkl;
using test::Corpus;
using test::summary;

constexpr int world = 4;

std::string n(std::int64_t number) { return std::to_string(number); }

std::string weights(int rank, float step)
{
    return test::torchZip(pkl::whole(pkl::dict({{"layer.weight", pkl::floats("0", 4)}})),
                          {{"0", test::floatBytes({1, 2, step, float(rank)})}});
}

std::string optimizer(std::int64_t step)
{
    const std::string state =
        "}(" + pkl::integer(0) + pkl::dict({{"step", pkl::integer(4 * step)}, {"exp_avg", pkl::floats("0", 4)}}) + "u";
    return test::torchZip(pkl::whole(pkl::dict({{"state", state}, {"param_groups", pkl::list({pkl::dict({})})}})),
                          {{"0", test::floatBytes({1, 2, 3, float(step)})}});
}

std::string extra(std::int64_t step)
{
    return test::torchZip(pkl::whole(pkl::dict({{"lr_scheduler", pkl::dict({{"last_epoch", pkl::integer(step)}})}})),
                          {});
}

std::string fileOf(const std::string &half, int rank)
{
    return half + "_world_size_" + n(world) + "_rank_" + n(rank) + ".pt";
}

void put(Corpus &c, std::int64_t step, const std::string &model)
{
    const std::string directory = "global_step_" + n(step) + "/" + model + "/";
    for (int rank = 0; rank < world; ++rank) {
        c.put(directory + fileOf("model", rank), weights(rank, float(step)), step, 0644);
        c.put(directory + fileOf("optim", rank), optimizer(step), step, 0644);
        c.put(directory + fileOf("extra_state", rank), extra(step), step, 0644);
    }
}

Corpus run()
{
    Corpus c;
    for (const std::int64_t step : {100, 200})
        for (const char *model : {"actor", "critic"}) put(c, step, model);
    c.put("latest_checkpointed_iteration.txt", "200", 201, 0644);
    return c;
}

TEST(RankHalvesCorpus, ActorAndCriticOfAllRanksAreOneCheckpoint)
{
    Corpus c = run();
    const CheckpointReport report = c.judgeAll();
    EXPECT_EQ(summary(report), "0:200 VALID; 0:100 VALID");
    EXPECT_EQ(report.worldSize, world);
    ASSERT_EQ(report.trackers.size(), 1u);
    EXPECT_FALSE(report.trackers[0].code) << report.trackers[0].text;
}

// verl's loader takes data.pt if it is there.
TEST(RankHalvesCorpus, ReadsDataStateNextToTheModelFoldersAndReportsItsAbsence)
{
    Corpus c = run();
    for (const std::int64_t step : {100, 200}) c.put("global_step_" + n(step) + "/data.pt", extra(step), step, 0644);
    EXPECT_EQ(summary(c.judgeAll()), "0:200 VALID; 0:100 VALID");
    Corpus lacking = c;
    lacking.remove("global_step_200/data.pt");
    EXPECT_EQ(lacking.judgeAll().sets.front().verdict, Verdict::validUnproven);
    c.put("global_step_200/data.pt", extra(200).substr(0, 100), 200, 0644);
    EXPECT_EQ(c.judgeAll().sets.front().verdict, Verdict::corrupt);
}

TEST(RankHalvesCorpus, PropertyMissingOrForeignHalfIsDetected)
{
    int tried = 0;
    for (const char *model : {"actor", "critic"})
        for (const std::string half : {"model", "optim", "extra_state"})
            for (int rank = 0; rank < world; ++rank) {
                const std::string directory = std::string(model) + "/" + fileOf(half, rank);
                Corpus dropped = run();
                dropped.remove("global_step_200/" + directory);
                EXPECT_EQ(dropped.judgeAll().sets[0].verdict, Verdict::incomplete) << directory;
                Corpus torn = run();
                torn.edit("global_step_200/" + directory, [](std::string &bytes) { bytes.resize(bytes.size() / 2); });
                EXPECT_EQ(torn.judgeAll().sets[0].verdict, Verdict::corrupt) << directory;
                tried += 2;
                if (half == "model") continue;  // it states no step: only its time could show that
                Corpus mixed = run();
                mixed.put("global_step_200/" + directory, mixed.bytes("global_step_100/" + directory), 200, 0644);
                EXPECT_EQ(mixed.judgeAll().sets[0].verdict, Verdict::inconsistent) << directory;
                ++tried;
            }
    EXPECT_GT(tried, 60);
}

TEST(RankHalvesCorpus, DuplicatedWeightsOfOneRankAreNotProven)
{
    Corpus c = run();
    c.put("global_step_200/actor/" + fileOf("model", 2), weights(1, 200), 200, 0644);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::validUnproven) << summary(c.judgeAll());
}

TEST(RankHalvesCorpus, PiecesDuplicatedEquallyByHybridShardingAreValid)
{
    Corpus c = run();
    for (const int rank : {2, 3})
        c.put("global_step_200/actor/" + fileOf("model", rank), weights(rank - 2, 200), 200, 0644);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::valid) << summary(c.judgeAll());
    c.put("global_step_200/actor/" + fileOf("model", 3), weights(0, 200), 200, 0644);
    EXPECT_EQ(c.judgeAll().sets[0].verdict, Verdict::validUnproven) << summary(c.judgeAll());
}

TEST(RankHalvesCorpus, SchedulerThatDoesNotCountStepsProvesNoStep)
{
    Corpus c;
    put(c, 200, "actor");
    for (int rank = 0; rank < world; ++rank)
        c.put("global_step_200/actor/" + fileOf("extra_state", rank), extra(800), 200, 0644);
    EXPECT_EQ(summary(c.judgeAll()), "0:200 VALID-UNPROVEN step_unproven");
}

}  // namespace
}  // namespace rankdeck::rank_halves_corpus_test
