// SPDX-License-Identifier: GPL-3.0-or-later
// Facts that a reader learns from earlier lines: records, bars, epochs, steps that count the whole run, progress
// without a loss.
#include "core/parse/log_explanation.h"
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rankdeck::training_reader_test {
namespace {

TEST(Steps, CountTheWholeRunIfTheyContinueBeyondAnEpoch)
{
    Lines lines;
    for (int step = 10; step <= 60; step += 10)
        lines << "epoch " + std::to_string(1 + (step - 1) / 20) + " step " + std::to_string(step) + " loss 2.5";
    ASSERT_EQ(lines.parsed.samples.size(), 6u);
    EXPECT_EQ(lines.parsed.samples[1].step, 20) << "within the first epoch both are the same";
    EXPECT_EQ(lines.parsed.samples[2].globalStep, 30);
    EXPECT_EQ(lines.parsed.samples[5].globalStep, 60);
}

TEST(Steps, CountWithinAnEpochIfTheyRestartWithIt)
{
    Lines lines;
    for (int epoch = 1; epoch <= 3; ++epoch)
        for (int step = 0; step < 100; step += 50)
            lines << "epoch " + std::to_string(epoch) + " step " + std::to_string(step) + " loss 2.5";
    EXPECT_EQ(lines.parsed.samples.back().epoch, 3);
    EXPECT_EQ(lines.parsed.samples.back().step, 50);
}

TEST(Epochs, CountedFromZeroBecomeCountsFromOne)
{
    Lines lines;
    lines << "Epoch 0 step 5 loss 2.5"
          << "Epoch 1 step 5 loss 2.4";
    EXPECT_EQ(lines.parsed.samples[0].epoch, 1);
    EXPECT_EQ(lines.parsed.samples[1].epoch, 2);
}

TEST(Epochs, WithOneLossEachAreSamplesUnlessStepsArePrinted)
{
    Lines alone;
    alone << "Epoch: 001, Loss: 0.5, Val: 0.8"
          << "Epoch: 002, Loss: 0.4, Val: 0.8";
    EXPECT_EQ(alone.parsed.samples.size(), 2u);
    Lines both;
    both << "Epoch 1 step 5 loss 2.5"
         << "Epoch 1 done: mean loss 2.6";
    EXPECT_EQ(both.parsed.samples.size(), 1u);
}

TEST(Records, TakeTheirStepFromTheLineAbove)
{
    Lines lines;
    for (int step = 1; step < 4; ++step)
        lines << "[step=" + std::to_string(step) + "/1000,epoch=0]"
              << "    train/CrossEntropyLoss=2.5"
              << "    train/Perplexity=20.1";  // not read
    ASSERT_EQ(lines.parsed.samples.size(), 3u) << "those that were held until the form repeated are there";
    EXPECT_EQ(lines.parsed.samples[0].globalStep, 1) << "a step before the epoch counts the run";
    EXPECT_EQ(lines.parsed.samples[2].globalStep, 3);
    EXPECT_EQ(lines.parsed.samples[2].total, 1000);
}

TEST(Bars, GiveTheStepOfALossThatFollows)
{
    Lines lines;
    lines << "  0%|          | 0/300 [00:00<?, ?it/s]\r 20%|##        | 60/300 [01:00<04:00,  1.00it/s]\r      "
             "\r{'loss': 0.9, 'epoch': 0.6}"
          << " 20%|##        | 61/300 [01:00<04:00,  1.00it/s]";
    ASSERT_EQ(lines.parsed.samples.size(), 1u);
    EXPECT_EQ(lines.parsed.samples[0].globalStep, 60);
    EXPECT_EQ(lines.parsed.samples[0].total, 300);
    EXPECT_EQ(lines.parsed.samples[0].loss, 0.9);
}

TEST(Bars, GiveNoStepIfTheyMeasureOtherWork)
{
    for (const char *what : {"Map", "Evaluating", "Loading checkpoint shards", "Validation DataLoader 0"}) {
        Lines lines;
        lines << std::string(what) + ":  20%|##        | 60/300 [01:00<04:00,  1.00it/s]"
              << "{'loss': 0.9, 'learning_rate': 1e-05}";
        EXPECT_TRUE(lines.parsed.samples.empty()) << what;
    }
}

TEST(Bars, DoNotHideATraceback)
{
    Lines lines;
    lines << " 20%|##        | 60/300 [01:00<04:00,  1.00it/s]Traceback (most recent call last):"
          << "  File \"train.py\", line 3, in <module>"
          << "RuntimeError: no luck";
    lines.end();
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].text.substr(0, 21), "RuntimeError: no luck");
}

TEST(Progress, IsReadFromLinesWithoutALoss)
{
    Lines lines;
    for (int step = 1; step < 8; ++step)
        lines << "[Rank 0] step=" + std::to_string(step * 10) + ", skipped=0, lr=[1e-05], mom=[(0.9, 0.999)]";
    ASSERT_GE(lines.parsed.samples.size(), 4u);
    EXPECT_FALSE(lines.parsed.samples.back().hasLoss);
    EXPECT_EQ(lines.parsed.samples.back().globalStep, 70);
    EXPECT_EQ(lines.parsed.samples.back().learningRate, 1e-05);
}

TEST(Progress, CountsALineNextToTheLossOnce)
{
    Lines lines;
    for (int step = 1; step < 8; ++step)
        lines << "step=" + std::to_string(step) + ", lr=[1e-05]"
              << "step " + std::to_string(step) + " loss 2.5";
    EXPECT_EQ(lines.parsed.samples.size(), 7u);
}

TEST(Formats, MayChangeInTheMiddleOfALog)
{
    Lines lines;
    for (int step = 1; step < 20; ++step) lines << "step " + std::to_string(step) + " loss 2.5";
    for (int step = 20; step < 40; ++step) lines << "{'loss': 2.25, 'step': " + std::to_string(step) + "}";
    for (int step = 40; step < 60; ++step)
        lines << " iteration " + std::to_string(step) + "/ 100 | lm loss: 2.0E+00 | grad norm: 1.0 |";
    ASSERT_EQ(lines.parsed.samples.size(), 59u);
    EXPECT_EQ(lines.parsed.samples.back().globalStep, 59);
    EXPECT_EQ(lines.parsed.samples.back().loss, 2.0);
}

TEST(Formats, MixedInOneLogAreBothRead)
{
    Lines lines;
    for (int step = 1; step < 50; ++step)
        lines << "step " + std::to_string(step) + " loss 2.5"
              << "{'loss': 1.5, 'step': " + std::to_string(1000 + step) + "}";
    EXPECT_EQ(lines.parsed.samples.size(), 98u);
}

TEST(Bars, CanBeTheOnlyLineWithALoss)
{
    Lines lines;
    for (int n = 1; n < 6; ++n)
        lines << "\rSteps:   1%|#         | " + std::to_string(n) +
                     "/1600 [00:02<20:00,  1.30it/s, lr=1e-5, step_loss=0." + std::to_string(n) + "]";
    ASSERT_EQ(lines.parsed.samples.size(), 5u);
    EXPECT_EQ(lines.parsed.samples.back().globalStep, 5);
    EXPECT_EQ(lines.parsed.samples.back().total, 1600);
}

TEST(Evaluations, GiveNoSample)
{
    for (const char *line :
         {"Validation: step 10 loss 0.5", "[VAL] epoch 3 step 4 loss 0.4", "Epoch(val) [1][10/50]  loss: 9.9",
          "Test: [ 10/100] Time 0.3 Loss 0.5",
          "| INFO | valid | epoch 001 | valid on 'valid' subset | loss 5.5 | num_updates 100",
          "{'train_runtime': 0.67, 'train_loss': 4.14, 'step': 30}", "Test set: Average loss: 0.05, step 4"}) {
        Lines lines;
        lines << line << line << line << line;
        EXPECT_TRUE(lines.parsed.samples.empty()) << line;
    }
}

TEST(Losses, AreTheTotalIfOneIsPrinted)
{
    Lines lines;
    lines << "iter: 20 loss_cls: 0.5 loss_box: 0.3 total_loss: 0.8 lr: 0.1";
    EXPECT_EQ(lines.parsed.samples.at(0).loss, 0.8);
    lines << "iter: 21 loss_cls: 0.5 loss: 0.7 avg_loss: 0.9";
    EXPECT_EQ(lines.parsed.samples.at(1).loss, 0.7);
}

TEST(Tables, GiveASampleForEachRow)
{
    Lines lines;
    lines << "epoch     train_loss  valid_loss  accuracy  time    "
          << "0         0.912000    0.600000    0.500000  00:12"
          << "1         0.812000    0.600000    0.500000  00:12";
    ASSERT_EQ(lines.parsed.samples.size(), 2u);
    EXPECT_EQ(lines.parsed.samples[1].loss, 0.812);
    EXPECT_EQ(lines.parsed.samples[1].epoch, 2);
}

TEST(JobFile, OverridesRolesOfLogFields)
{
    LogSpec spec;
    spec.fields = {{"loss", "objective value"}, {"step", "tick"}};
    Lines lines(spec);
    lines << "tick 7 objective value 2.5 loss 9";
    ASSERT_EQ(lines.parsed.samples.size(), 1u);
    EXPECT_EQ(lines.parsed.samples[0].loss, 2.5);
    EXPECT_EQ(lines.parsed.samples[0].globalStep, 7);
}

TEST(Explanation, ListsLinesThatAreReadAndLinesThatAreNot)
{
    Result<LogExplainer> explainer = LogExplainer::make({});
    ASSERT_TRUE(explainer.has_value());
    for (int step = 1; step < 11; ++step) explainer->line("step " + std::to_string(step) + " loss 2.5 lr 0.1 acc 0.5");
    explainer->line("the zoo loss was 7.5 today");
    explainer->line("listening on port 8080");
    explainer->line("");
    const LogExplanation log = explainer->finish();
    EXPECT_EQ(log.lines, 13u);
    EXPECT_EQ(log.matched, 11u);
    EXPECT_TRUE(log.hasLoss && log.hasStep);
    ASSERT_EQ(log.kinds.size(), 1u);
    EXPECT_EQ(log.kinds[0].count, 10u);
    std::string roles;
    for (const ExplainedField &field : log.kinds[0].fields)
        roles += std::string(fieldRoleName(field.role)) + "=" + field.value + " ";
    EXPECT_EQ(roles, "step=10 loss=2.5 lr=0.1 other=0.5 ");
    ASSERT_EQ(log.unknown.size(), 2u);
    EXPECT_EQ(log.unknown[0].sample, "the zoo loss was 7.5 today") << "what may hide a loss stands first";
    EXPECT_TRUE(log.mayHideLoss());
}

TEST(Explanation, IsBoundedForAnyLog)
{
    Result<LogExplainer> explainer = LogExplainer::make({});
    for (int i = 0; i < 20000; ++i)
        explainer->line("word" + std::string(static_cast<std::size_t>(i % 3000), 'x') + " is here");
    explainer->line(std::string(1u << 20, '\r') + std::string(1u << 20, '7'));
    const LogExplanation log = explainer->finish();
    EXPECT_LE(log.unknown.size(), 20u);
    EXPECT_EQ(log.lines, 20001u);
}

}  // namespace
}  // namespace rankdeck::training_reader_test
