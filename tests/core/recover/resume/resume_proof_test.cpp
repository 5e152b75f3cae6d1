// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/resume_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace rankdeck::resume_proof_test {
namespace {

using ::testing::HasSubstr;

const std::nullopt_t no = std::nullopt;

std::vector<PlacedSample> curve(std::int64_t from, std::int64_t to, float loss)
{
    std::vector<PlacedSample> samples;
    for (std::int64_t step = from; step <= to; ++step)
        samples.push_back({.step = step, .loss = loss + (step % 2 ? 0.01f : -0.01f)});
    return samples;
}

class ResumeProofRule : public testing::Test {
protected:
    ResumeProofRule()
    {
        baseline.set = {
            .id = "0:3-4", .epoch = 3, .step = 4, .globalStep = 24, .position = 24, .verdict = Verdict::valid};
        baseline.attemptBefore = 0;
        baseline.position = 24;
        baseline.checkpoints[0] = "/job/ckpt/rank_0/lenet-3_4.ckpt";
        baseline.oldLosses[0] = curve(10, 30, 1.0f);
        view.attempt = 1;
        view.stepsPerEpoch = 10;
        view.ranks.push_back({.rank = 0, .node = "n0"});
    }
    RankState &rank() { return view.ranks[0]; }
    void says(std::optional<std::int64_t> epoch, std::optional<std::int64_t> step, std::optional<std::int64_t> global,
              const std::string &path = {})
    {
        LogEvent line;
        line.kind = EventKind::resumed;
        line.text = "resume";
        line.epoch = epoch;
        line.step = step;
        line.globalStep = global;
        line.path = path;
        rank().resumed = line;
    }
    // Adds the new attempt's first losses, one step each.
    void starts(std::int64_t step, const std::vector<float> &losses)
    {
        rank().firstSamples.clear();
        for (const float loss : losses) rank().firstSamples.push_back({.step = step++, .loss = loss});
    }
    void starts(std::int64_t step, float loss) { starts(step, std::vector<float>{loss}); }
    RankProof judged() { return proveResume(view, baseline).ranks.front(); }
    Known continues() { return proveResume(view, baseline).continues(); }

    ResumeBaseline baseline;
    JobState view;
};

TEST_F(ResumeProofRule, AgreeingLineStepAndLossProveAResume)
{
    says(3, 24, 24, "/job/ckpt/rank_0/lenet-3_4.ckpt");
    starts(25, 1.0f);
    EXPECT_TRUE(judged().proven);
    EXPECT_EQ(continues(), true);
    EXPECT_EQ(judged().loadedGlobalStep, 24);
}

TEST_F(ResumeProofRule, NamesTheEvidenceThatAgrees)
{
    using ::testing::ElementsAre;
    says(3, 24, 24, "/job/ckpt/rank_0/lenet-3_4.ckpt");
    starts(25, 1.0f);
    EXPECT_THAT(judged().witness, ElementsAre("line", "path", "step", "loss"));
    EXPECT_EQ(judged().loadedPath, "/job/ckpt/rank_0/lenet-3_4.ckpt");
    EXPECT_EQ(judged().skippedSteps, 0);
    EXPECT_EQ(judged().repeatedSteps, 0);
    says(std::nullopt, std::nullopt, std::nullopt, "/job/ckpt/rank_0/lenet-3_4.ckpt");
    rank().resumed->byPath = true;
    baseline.oldLosses.clear();
    EXPECT_THAT(judged().witness, ElementsAre("path", "step"));
    EXPECT_TRUE(judged().proven);
}

TEST_F(ResumeProofRule, FileInTheStagingDirectoryIsTheChosenCheckpoint)
{
    baseline.views[0] = "/job/.rankdeck/views/resume-1";
    says(std::nullopt, std::nullopt, std::nullopt, "/job/.rankdeck/views/resume-1/rank_0/lenet-3_4.ckpt");
    starts(25, 1.0f);
    EXPECT_TRUE(judged().proven);
    says(std::nullopt, std::nullopt, std::nullopt, "/job/.rankdeck/views/resume-0/rank_0/lenet-3_4.ckpt");
    EXPECT_EQ(continues(), false);
}

TEST_F(ResumeProofRule, ScriptThatReportsNoLoadContradictsImmediately)
{
    says(std::nullopt, std::nullopt, std::nullopt);
    rank().resumed->nothingLoaded = true;
    rank().resumed->text = "no valid ckpt found to resume.";
    EXPECT_EQ(proveResume(view, baseline).text(),
              "rank 0: its log says that it loaded nothing: no valid ckpt found to resume.");
    baseline.set.globalStep.reset();
    baseline.position.reset();  // nothing to compare with: its own line is enough
    EXPECT_TRUE(proveResume(view, baseline).nothingLoaded);
    EXPECT_EQ(continues(), false);
}

TEST_F(ResumeProofRule, ReportsRepeatedAndSkippedSteps)
{
    says(3, 24, 24);
    starts(31, 1.0f);  // epoch 4, step 1
    EXPECT_EQ(judged().skippedSteps, 6);
    EXPECT_EQ(judged().repeatedSteps, 0);
    EXPECT_THAT(judged().note, HasSubstr("continues at epoch 4, step 1; steps 5 to 10 of epoch 3 are skipped"));
    starts(21, 1.0f);  // epoch 3, step 1
    EXPECT_EQ(judged().skippedSteps, 0);
    EXPECT_EQ(judged().repeatedSteps, 4);
    EXPECT_THAT(judged().note, HasSubstr("continues at epoch 3, step 1; steps 1 to 4 of epoch 3 are trained again"));
    // an earlier attempt skipped 8 steps: from then on the epochs are ahead of global_step
    baseline.position = baseline.set.position = baseline.set.globalStep = 16;
    says(3, 16, 16);
    starts(31, 1.0f);
    EXPECT_EQ(judged().skippedSteps, 6);
    view.attempts = {{.index = 1, .stepOffset = -14}};  // as its first checkpoints show
    starts(17, 1.0f);
    EXPECT_EQ(judged().skippedSteps, 6);
    EXPECT_THAT(judged().note, HasSubstr("continues at epoch 4, step 1; steps 5 to 10 of epoch 3 are skipped"));
    view.attempts.clear();
    baseline.position = baseline.set.position = baseline.set.globalStep = 24;
    says(3, 24, 24);
    starts(28, 1.0f);  // prints each fourth step: the steps between are unknown
    EXPECT_EQ(judged().skippedSteps, std::nullopt);
}

TEST_F(ResumeProofRule, AcceptsThatMindSporeContinuesWithTheNextWholeEpoch)
{
    says(3, 24, 24);
    starts(31, 1.0f);  // epoch 4, step 1
    EXPECT_TRUE(judged().proven);
}

TEST_F(ResumeProofRule, AcceptsThatAScriptRepeatsTheEpochOfTheSet)
{
    says(3, 4, std::nullopt);
    starts(21, 1.0f);  // epoch 3, step 1
    EXPECT_TRUE(judged().proven);
}

TEST_F(ResumeProofRule, OldAttemptProvesNothing)
{
    says(3, 24, 24);
    starts(25, 1.0f);
    view.attempt = 0;
    EXPECT_FALSE(judged().proven);
    EXPECT_EQ(continues(), std::nullopt);
}

TEST_F(ResumeProofRule, ResultIsUnknownWithoutAStep)
{
    says(3, 24, 24);
    EXPECT_FALSE(judged().proven);
    EXPECT_EQ(continues(), std::nullopt);
    EXPECT_EQ(judged().note, "no step yet");
    view.ranks.at(0).awaited = Awaited{.address = "10.0.0.1:8118"};
    EXPECT_EQ(judged().note, "no step yet: it was trying to reach the scheduler at 10.0.0.1:8118");
}

TEST_F(ResumeProofRule, AnotherCheckpointFileContradicts)
{
    says(3, 24, 24, "/job/ckpt/rank_0/lenet-2_10.ckpt");
    starts(25, 1.0f);
    EXPECT_EQ(continues(), false);
    EXPECT_THAT(judged().note, HasSubstr("loaded a different checkpoint"));
}

TEST_F(ResumeProofRule, AnotherGlobalStepContradicts)
{
    says(3, std::nullopt, 20);
    starts(21, 1.0f);
    EXPECT_EQ(continues(), false);
}

TEST_F(ResumeProofRule, StepWithoutAnEpochMayBeCountedInThreeWays)
{
    says(std::nullopt, 4, std::nullopt);
    EXPECT_EQ(lineWitness(rank(), baseline), Witness::agrees);
    says(std::nullopt, 24, std::nullopt);
    EXPECT_EQ(lineWitness(rank(), baseline), Witness::agrees);
    says(std::nullopt, 7, std::nullopt);
    EXPECT_EQ(lineWitness(rank(), baseline), Witness::contradicts);
}

// PyTorch's model_best.pth.tar has an epoch and no step: four epochs of ten steps had ended.
class EpochProof : public ResumeProofRule {
protected:
    EpochProof()
    {
        baseline.set = {.id = "0:4-", .epoch = 4, .verdict = Verdict::valid};
        placeBaseline(baseline, 10);
        baseline.checkpoints[0] = "/job/rank_0/model_best.pth.tar";
        baseline.oldLosses[0] = curve(20, 60, 1.0f);
    }
};

TEST_F(EpochProof, NeedsTheLoadLineTheLossAndTheNextEpoch)
{
    ASSERT_EQ(baseline.position, 40);
    says(4, {}, {}, "./rank_0/model_best.pth.tar");
    starts(41, 1.0f);
    EXPECT_TRUE(judged().proven);
    EXPECT_THAT(judged().witness, ::testing::ElementsAre("line", "path", "step", "loss"));
    EXPECT_THAT(judged().note, HasSubstr("epoch 4 but no step"));
    EXPECT_EQ(judged().skippedSteps, 0);
}

TEST_F(EpochProof, AcceptsAnEpochMoreIfTheScriptCountsFromZero)
{
    says(4, {}, {}, "./rank_0/model_best.pth.tar");
    starts(51, 1.0f);
    EXPECT_TRUE(judged().proven);
    EXPECT_FALSE(judged().skippedSteps);
}

TEST_F(EpochProof, OnePieceOfEvidenceOfThreeIsNotEnough)
{
    starts(41, 1.0f);
    EXPECT_FALSE(judged().proven) << "no line";
    says(4, {}, {}, "./rank_0/model_best.pth.tar");
    baseline.oldLosses.clear();
    EXPECT_FALSE(judged().proven) << "no loss to compare with";
    EXPECT_FALSE(continues().isNo());
}

TEST_F(EpochProof, AnotherEpochContradicts)
{
    says(3, {}, {}, "./rank_0/model_best.pth.tar");
    starts(31, 1.0f);
    EXPECT_EQ(continues(), false) << "the line names another epoch";
    rank().resumed.reset();
    starts(1, 1.0f);
    EXPECT_EQ(continues(), false) << "a start from zero";
    starts(61, 1.0f);
    EXPECT_EQ(continues(), false) << "epochs behind it";
}

TEST_F(EpochProof, HasNoPositionWithoutStepsPerEpoch)
{
    placeBaseline(baseline, 0);
    EXPECT_FALSE(baseline.position);
    says(4, {}, {}, "./rank_0/model_best.pth.tar");
    starts(41, 1.0f);
    EXPECT_FALSE(judged().proven);
}

TEST_F(ResumeProofRule, SilentStartFromZeroContradicts)
{
    starts(1, 2.3f);
    EXPECT_EQ(continues(), false);
    EXPECT_THAT(judged().note, HasSubstr("silent start from zero"));
}

TEST_F(ResumeProofRule, StepFarBeyondTheSetContradicts)
{
    starts(24 + 201, 1.0f);
    EXPECT_EQ(continues(), false);
}

TEST_F(ResumeProofRule, ScriptThatRestartsItsCountNeedsLoadLineAndLoss)
{
    says(3, 24, 24);
    starts(1, 1.0f);
    EXPECT_TRUE(judged().proven);
    EXPECT_THAT(judged().note, HasSubstr("counts its steps from 1"));
    baseline.oldLosses.clear();
    EXPECT_FALSE(judged().proven);
}

TEST_F(ResumeProofRule, LossMustMatchIfThereIsNoLoadLine)
{
    starts(25, 1.0f);
    EXPECT_TRUE(judged().proven);
    baseline.oldLosses.clear();
    EXPECT_FALSE(judged().proven);
    EXPECT_EQ(continues(), std::nullopt);
    EXPECT_THAT(judged().note, HasSubstr("nothing in its log shows"));
}

TEST_F(ResumeProofRule, ReportsAnUnknownOldCurveIfThereIsALoadLine)
{
    says(3, 24, 24);
    starts(25, 1.0f);
    baseline.oldLosses.clear();
    EXPECT_TRUE(judged().proven);
    EXPECT_THAT(judged().note, HasSubstr("could not be compared"));
}

TEST_F(ResumeProofRule, LossThresholdIsTenPercentOrFourDeviations)
{
    says(3, 24, 24);
    starts(25, 1.08f);
    EXPECT_TRUE(judged().proven);
    starts(25, std::vector<float>(9, 1.13f));
    EXPECT_EQ(continues(), false);
    EXPECT_THAT(judged().note, HasSubstr("above the old loss curve"));
    starts(25, 0.2f);  // lower is never an alarm
    EXPECT_TRUE(judged().proven);
    baseline.oldLosses[0].clear();
    for (int i = 0; i < 21; ++i)
        baseline.oldLosses[0].push_back({.step = 10 + i, .loss = 1.0f + 0.1f * static_cast<float>(i % 5 - 2)});
    starts(25, 1.35f);  // noise of 0.1: four of them are allowed
    EXPECT_TRUE(judged().proven);
}

TEST_F(ResumeProofRule, OneHighLossMayBeNoise)
{
    says(3, 24, 24);
    starts(25, 1.4f);
    EXPECT_FALSE(judged().proven);
    EXPECT_EQ(continues(), std::nullopt);
    EXPECT_THAT(judged().note, HasSubstr("may be noise"));
    starts(25, {1.4f, 0.9f, 1.0f});
    EXPECT_TRUE(judged().proven);
    starts(25, 1.6f);  // five times the allowance: no noise does that
    EXPECT_EQ(continues(), false);
}

// The losses of single batches vary widely, and only upwards. Such a healthy run must not raise the alarm.
TEST_F(ResumeProofRule, HealthyNoisyRunRaisesNoAlarm)
{
    std::mt19937 random(7);
    std::exponential_distribution<float> loss(1.0f);
    says(3, 24, 24);
    int alarms = 0, proven = 0;
    for (int run = 0; run < 2000; ++run) {
        baseline.oldLosses[0].clear();
        for (int i = 0; i < 41; ++i) baseline.oldLosses[0].push_back({.step = i, .loss = loss(random)});
        std::vector<float> first;
        while (first.size() < firstSamplesKept && !judged().proven) {
            first.push_back(loss(random));
            starts(25, first);
            if (continues() == false) {
                ++alarms;
                break;
            }
        }
        proven += judged().proven;
        rank().firstSamples.clear();
    }
    EXPECT_LE(alarms, 10);
    EXPECT_EQ(alarms + proven, 2000);
}

TEST_F(ResumeProofRule, NaNLossContradicts)
{
    says(3, 24, 24);
    starts(25, std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(continues(), false);
}

TEST_F(ResumeProofRule, OneContradictingRankRaisesTheAlarm)
{
    says(3, 24, 24);
    starts(25, 1.0f);
    view.ranks.push_back({.rank = 1, .node = "n0"});
    view.ranks[1].firstSamples = {{.step = 1, .loss = 2.3f}};
    const ResumeProof proof = proveResume(view, baseline);
    EXPECT_EQ(proof.contradicting, std::vector<int>{1});
    EXPECT_EQ(proof.continues(), false);
    EXPECT_THAT(proof.text(), HasSubstr("rank 0 continues"));
    EXPECT_THAT(proof.text(), HasSubstr("rank 1: "));
}

// ---- cases of the corpus, with their numbers

TEST_F(ResumeProofRule, X01_LoadLinesOfAllRanksWithTheIterationProveTheResume)
{
    baseline.set.globalStep = 100;
    baseline.position = 100;
    baseline.checkpoints.clear();
    baseline.oldLosses[0] = curve(80, 120, 1.0f);
    says(std::nullopt, std::nullopt, 100);
    starts(101, 1.0f);
    EXPECT_TRUE(proveResume(view, baseline).proven());
    EXPECT_EQ(judged().loadedGlobalStep, 100);
}

TEST_F(ResumeProofRule, X02_StartFromRandomWeightsRaisesTheAlarm)
{
    says(std::nullopt, std::nullopt, 0);  // parsed result of "will start from random"
    rank().resumed->text = "will not load any checkpoints and will start from random";
    EXPECT_EQ(continues(), false);  // at once, before the first step
    EXPECT_THAT(judged().note, HasSubstr("will start from random"));
}

TEST_F(ResumeProofRule, X05_OneRankAtAnotherStepRaisesTheAlarm)
{
    for (int number = 1; number < 8; ++number) view.ranks.push_back({.rank = number, .node = "n0"});
    for (RankState &state : view.ranks) {
        LogEvent line;
        line.kind = EventKind::resumed;
        line.globalStep = state.rank == 5 ? 20 : 24;
        line.text = "resume at " + std::to_string(*line.globalStep);
        state.resumed = line;
        state.firstSamples = {{.step = *line.globalStep + 1, .loss = 1.0f}};
    }
    const ResumeProof proof = proveResume(view, baseline);
    EXPECT_EQ(proof.continues(), false);
    EXPECT_EQ(proof.contradicting, std::vector<int>{5});
    EXPECT_THAT(proof.text(), HasSubstr("rank 5: its log says that it loaded a different checkpoint: resume at 20"));
}

TEST(LossBand, NeedsThreeNumbersAndUsesTheNearest)
{
    EXPECT_FALSE(lossBand({{.step = 1, .loss = 1}, {.step = 2, .loss = 1}}, 1).has_value());
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(lossBand({{.step = 1, .loss = 1}, {.step = 2, .loss = nan}, {.step = 3, .loss = 1}}, 1).has_value());
    std::vector<PlacedSample> samples = curve(1, 100, 5.0f);
    for (const PlacedSample &sample : curve(101, 200, 1.0f)) samples.push_back(sample);
    EXPECT_NEAR(lossBand(samples, 180)->median, 1.0, 0.02);
    EXPECT_NEAR(lossBand(samples, 20)->median, 5.0, 0.02);
}

// A trainer that prints no loss is proven by its steps and its own line.
TEST_F(ResumeProofRule, StepsWithoutALossAndALoadLineProveAResume)
{
    starts(25, std::vector<float>{0, 0, 0});
    rank().firstWithoutLoss = true;
    says(no, no, 24);
    EXPECT_FALSE(judged().proven) << "it printed losses before, and prints none now";
    baseline.oldLosses.clear();
    const RankProof proof = judged();
    EXPECT_TRUE(proof.proven) << proof.note;
    EXPECT_EQ(proof.firstStep, 25);
    EXPECT_FALSE(proof.firstLoss.has_value());
    starts(1, std::vector<float>{0, 0, 0});
    rank().firstWithoutLoss = true;
    EXPECT_FALSE(judged().proven) << "it begins at the first step";
}

}  // namespace
}  // namespace rankdeck::resume_proof_test
