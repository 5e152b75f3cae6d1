// SPDX-License-Identifier: GPL-3.0-or-later
// Single lines in every form that is known, and those that must not be taken for one.
#include "core/parse/log_parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rankdeck {
namespace {

constexpr std::uint64_t middle = 1000;  // not the first line of a log

struct Lines {
    std::unique_ptr<LogParser> parser;
    Parsed parsed;
    std::uint64_t offset = middle;

    explicit Lines(const LogSpec &spec = {}, Framework framework = Framework::automatic, LogRole role = LogRole::worker)
        : parser(std::move(LogParser::make(framework, spec, role)).value())
    {}
    Lines &operator<<(const std::string &line)
    {
        parser->line(line, offset, parsed);
        offset += line.size() + 1;
        return *this;
    }
    Lines &end()
    {
        parser->finish(parsed);
        return *this;
    }
};

struct Case {
    const char *line;
    std::optional<std::int64_t> epoch, step, global;
    double loss;
};
const std::nullopt_t no = std::nullopt;
const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

class OneLine : public testing::TestWithParam<Case> {};

TEST_P(OneLine, IsASample)
{
    Lines lines;
    lines << GetParam().line;
    ASSERT_EQ(lines.parsed.samples.size(), 1u);
    const Sample &sample = lines.parsed.samples[0];
    EXPECT_EQ(sample.epoch, GetParam().epoch);
    EXPECT_EQ(sample.step, GetParam().step);
    EXPECT_EQ(sample.globalStep, GetParam().global);
    EXPECT_EQ(sample.offset, middle);
    EXPECT_EQ(lines.parser->rejected(), 0u);
    if (std::isnan(GetParam().loss)) {
        EXPECT_TRUE(std::isnan(sample.loss));
    } else {
        EXPECT_DOUBLE_EQ(sample.loss, GetParam().loss);
    }
}

const Case cases[] = {
    {"epoch: 1 step: 2, loss is 2.3025550842285156", 1, 2, no, 2.3025550842285156},
    {"epoch: 0, step: 0, loss is 2.34", 1, 1, no, 2.34},
    {"epoch: 12 step: 1875, loss is 1e-05", 12, 1875, no, 1e-05},
    {"epoch: 1 step: 1, loss is nan", 1, 1, no, nan},
    {"epoch: 1 step: 1, loss is NaN", 1, 1, no, nan},
    {"epoch: 1 step: 1, loss is -nan", 1, 1, no, nan},
    {"epoch: 1 step: 1, loss is inf", 1, 1, no, inf},
    {"epoch: 1 step: 1, loss is -inf", 1, 1, no, -inf},
    {"epoch: 1 step: 1, loss is Infinity", 1, 1, no, inf},
    {"epoch: 1 step: 1, loss is 1e999", 1, 1, no, inf},
    {"epoch: 1 step: 1, loss is Tensor(shape=[], dtype=Float32, value= 2.30259)", 1, 1, no, 2.30259},
    {"epoch: 1 step: 1, loss is Tensor(shape=[1], dtype=Float32, value=[ 2.30259])", 1, 1, no, 2.30259},
    {"epoch: 1 step: 1, loss is (Tensor(shape=[], dtype=Float32, value= 4.5), Tensor(shape=[], dtype=Bool, value= "
     "False))",
     1, 1, no, 4.5},
    {"epoch: 1 step: 1, loss is [2.5]", 1, 1, no, 2.5},
    {"epoch: 3 step: 4, loss is 2.5, lr 0.1", 3, 4, no, 2.5},
    {"2025-04-07 15:34:27,308 - mindformers./output/log[mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  "
     "1/  2], "
     "step:[   10/ 1875], loss: 7.123, per_step_time: 1234ms, lr: 1e-05, overflow cond: False, loss_scale: 1024.0, "
     "global_norm: [1.5], "
     "train_throughput_per_npu: 12.345T",
     1, 10, no, 7.123},
    {"{ Epoch:[  2/  2], step:[    5/   20], loss:[5.500/6.250], per_step_time: 12ms, overflow cond: False, "
     "loss_scale: 1.0, global_norm: 2.5",
     2, 5, no, 5.5},
    {"[INFO] 2025-04-07 15:34:27,308 [mindformers/core/callback/callback.py:618] print_output_info: { Epoch:[  1/  1], "
     "step:[    7/   20], "
     "loss: 10.874520, lm_loss: 10.8, load_balancing_loss: 0.01, mtp_loss: 0.2, per_step_time: 900ms, lr: [1e-06], "
     "overflow cond: False, "
     "loss_scale: 1.0, global_norm: [2.1 2.2]",
     1, 7, no, 10.87452},
    {"{ Epoch:[  1/  1], step:[    7/   20], loss:   nan, per_step_time: 900ms, overflow cond: True, loss_scale: 1.0, "
     "global_norm: nan",
     1, 7, no, nan},
    {"Epoch: [1][ 2/6]\tTime  0.003 ( 0.003)\tData  0.000 ( 0.000)\tLoss 7.0842e-01 (1.0744e+00)\tAcc@1  50.00 ( "
     "50.00)",
     2, 3, no, 0.70842},
    {"[default0]:Epoch: [0][ 0/6]\tTime  0.012 ( 0.012)\tLoss nan (nan)", 1, 1, no, nan},
    {"{'loss': 4.1646, 'grad_norm': 0.66, 'learning_rate': 0.0008, 'epoch': 0.5}", no, no, no, 4.1646},
    {"{'loss': nan, 'grad_norm': inf, 'epoch': 0.5}", no, no, no, nan},
    {"{'loss': '4.1646', 'grad_norm': '0.66', 'epoch': '0.5'}", no, no, no, 4.1646},
    {" iteration      100/     500 | consumed samples:         1600 | elapsed time per iteration (ms): 512.5 | "
     "learning rate: 1.5E-04 | "
     "lm loss: 2.5E+00 | loss scale: 1.0 | grad norm: 1.25 |",
     no, no, 100, 2.5},
    {" [2026-01-02 03:04:05] iteration        1/     500 | consumed samples: 16 | lm loss: 1.1E+01 | loss scale: 1.0 |",
     no, no, 1, 11},
    {"INFO:tensorflow:loss = 0.1692084, step = 40 (0.011 sec)", no, no, 40, 0.1692084},
    {"I0101 12:00:00.000000 140 basic_session_run_hooks.py:262] loss = 2.5, step = 0", no, no, 0, 2.5},
    {"step 120 loss 2.31", no, no, 120, 2.31},
    {"iter: 20, loss: 0.75", no, no, 20, 0.75},
    {"Epoch 3, Step 10, Loss: 0.5", 3, 10, no, 0.5},
    {"Epoch [3/10], Step [100/600], Loss: 0.25", 3, 100, no, 0.25},
    {"2026-01-02 03:04:05 INFO train: global_step=41200 loss=1.5 lr=3e-4", no, no, 41200, 1.5},
    {"global step 7: loss is nan", no, no, 7, nan},
    {"epoch 1.25 iteration 500 | loss 3.5", no, no, 500, 3.5},
    {"step=3 loss=tensor(2.5, device='npu:0', grad_fn=<NllLossBackward0>)", no, no, 3, 2.5},
    {"[rank1]: step 5 loss 1.0", no, no, 5, 1.0},
    {"val_loss 9.5 loss 1.5 step 3", no, no, 3, 1.5},
};
INSTANTIATE_TEST_SUITE_P(Forms, OneLine, testing::ValuesIn(cases));

class NoSample : public testing::TestWithParam<const char *> {};

TEST_P(NoSample, IsTakenForNone)
{
    Lines lines;
    lines << GetParam();
    EXPECT_TRUE(lines.parsed.samples.empty()) << lines.parsed.samples[0].loss;
    lines.end();
    EXPECT_TRUE(lines.parsed.events.empty()) << lines.parsed.events[0].text;
}

const char *const plain[] = {
    "",
    "loss",
    "val_loss: 0.5 step 3",
    "Validation loss 0.5 at step 3",
    "step 3 eval loss: 0.5",
    "{'eval_loss': 4.14, 'eval_runtime': 0.028, 'epoch': 1.0}",
    "{'train_runtime': 0.67, 'train_loss': 4.14, 'epoch': 3.0}",
    "train_loss 0.5 step 3",
    "Loss for final step: 8.207973e-06.",
    " * Acc@1 62.500 Acc@5 100.000",
    "step 5: loss of connection",
    "step 3 loss 50%",
    "step 3 loss 2.5e",
    "step 3 lossless 2",
    "Epoch 3 loss 0.5",
    "batch size 3, loss_scale 1024.0",
    "packet loss 5 in step 3",
    "  12.5% |████      | 3.20000 samples/s/p  1:02:03 }",
    "Epoch:[  1/  1], step:[    7/   20] local_norm: 1.5000",
    "Epoch 2/4",
    "Eval epoch time: 12.5 ms, per step time: 1.25 ms",
    "Eval result: epoch 1, metrics: {'loss': 2.3}",
    "[2026-11-21 09:32:10,897] [INFO] [logging.py:128:log_dist] [Rank 0] step=4, skipped=0, lr=[0.0008], mom=[(0.9, "
    "0.999)]",
    "restart the job to resume from the newest checkpoint",
    "Successfully imported ERROR codes",
    // the alarming lines of a normal MindSpore start and end
    "[WARNING] DISTRIBUTED(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:246] BuildCluster] Topology build timed out., "
    "retry(1/120).",
    "[WARNING] DISTRIBUTED(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:76] Connect] Failed to connect to the tcp "
    "server : 127.0.0.1:8704, retry",
    "[WARNING] DISTRIBUTED(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:363] R] Failed to register and try to "
    "reconnect to the meta server.",
    "[WARNING] DEVICE(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:33] Start] Failed to initialize the configuration "
    "for this mccl collective node.",
    "[WARNING] PS(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:24] Initialize] The file: is not exist.",
    "[WARNING] DISTRIBUTED(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:1] F] Resource temporarily unavailable, which "
    "worker disconnected",
    "[WARNING] DISTRIBUTED(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:98] Finalize] The meta server node can not be "
    "finalized because there are "
    "still 4 alive nodes.",
    "[WARNING] DISTRIBUTED(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:323] P] Node 2 has unregistered.",
    "[INFO] PS(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:318] Start] Event base dispatch success!",
};
INSTANTIATE_TEST_SUITE_P(Forms, NoSample, testing::ValuesIn(plain));

TEST(MindFormersLine, TellsAllItsNumbers)
{
    Lines lines;
    lines << "{ Epoch:[  1/  2], step:[   10/ 1875], loss: 7.123, per_step_time: 1234ms, lr: 1e-05, overflow cond: "
             "False, loss_scale: 1024.0, "
             "global_norm: [1.5], train_throughput_per_npu: 12.345T"
          << "   0.5% |                                                  | 3.24 samples/s/p  1 day, 2:03:04 }";
    ASSERT_EQ(lines.parsed.samples.size(), 1u);
    const Sample &sample = lines.parsed.samples[0];
    EXPECT_EQ(sample.stepsPerEpoch, 1875);
    EXPECT_EQ(sample.stepMs, 1234);
    EXPECT_EQ(sample.learningRate, 1e-05);
    EXPECT_EQ(sample.lossScale, 1024);
    EXPECT_EQ(sample.gradNorm, 1.5);
}

TEST(TrainerDict, TakesStepsFromTheHeaderUnlessTheyContradict)
{
    Lines lines;
    lines << "  Num Epochs = 3"
          << "  Total optimization steps = 1,800"
          << "{'loss': 4.0, 'epoch': 0.5}";
    EXPECT_EQ(lines.parsed.samples.at(0).globalStep, 300);
    EXPECT_EQ(lines.parsed.samples.at(0).stepsPerEpoch, 600);
    Lines other;  // max_steps = 18 of epochs with 8 steps: 18 / 3 says nothing about an epoch
    other << "  Num Epochs = 3"
          << "  Total optimization steps = 18"
          << "{'loss': 4.0, 'epoch': 0.25}";
    EXPECT_FALSE(other.parsed.samples.at(0).globalStep.has_value());
    EXPECT_EQ(other.parsed.samples.at(0).fractionalEpoch, 0.25);
}

TEST(Keras, BrokenWithoutItsEpochLineIsCounted)
{
    Lines lines;
    lines << "3/3 - 0s - loss: 1.2969 - val_loss: 4.2549 - 54ms/epoch - 18ms/step";
    EXPECT_TRUE(lines.parsed.samples.empty());
    EXPECT_EQ(lines.parser->rejected(), 1u);
    lines << "Epoch 3/4"
          << "3/3 - 0s - loss: 1.2808 - val_loss: 4.2011 - 54ms/epoch - 18ms/step";
    ASSERT_EQ(lines.parsed.samples.size(), 1u);
    EXPECT_EQ(lines.parsed.samples[0].epoch, 3);
    EXPECT_EQ(lines.parsed.samples[0].stepMs, 18);
    EXPECT_EQ(lines.parsed.samples[0].stepsPerEpoch, 3);
}

TEST(LossMonitorLine, WhatOnlyLooksLikeOneIsCounted)
{
    Lines lines;
    lines << "epoch: 1 step: 1, loss is "
          << "epoch: 1 step: 2, loss is abc"
          << "epoch: 1 step: 3, loss is 2.5epoch: 1 step: 3, loss is 2.4";
    EXPECT_TRUE(lines.parsed.samples.empty());
    EXPECT_EQ(lines.parser->rejected(), 3u);
    lines << "epoch: 99999999999999999999 step: 1, loss is 2";
    EXPECT_TRUE(lines.parsed.samples.empty());
    EXPECT_EQ(lines.parser->rejected(), 4u);
}

struct EventCase {
    const char *line;
    EventKind kind;
};
class OneEvent : public testing::TestWithParam<EventCase> {};

TEST_P(OneEvent, HasItsKind)
{
    Lines lines;
    (lines << GetParam().line).end();
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_STREQ(eventKindName(lines.parsed.events[0].kind), eventKindName(GetParam().kind));
    EXPECT_EQ(lines.parsed.events[0].offset, middle);
    EXPECT_EQ(lines.parsed.events[0].length, std::string(GetParam().line).size());
}

const EventCase events[] = {
    {"[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [mindspore/a.py:240] Graceful exit is triggered, stop "
     "training.",
     EventKind::gracefulExit},
    {"[ERROR] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [mindspore/a.py:2] something", EventKind::error},
    {"[CRITICAL] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [mindspore/a.py:2] Failed to save the checkpoint file "
     "x.",
     EventKind::error},
    {"[ERROR] GE(5,python):2026-11-21-09:05:38.250.00 [a.cc:2] UCEError error occurs when execute, error_code=507053",
     EventKind::uce},
    {"[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] uce wrapper caught repair finish REPAIR STEP: "
     "5 batch_num:10",
     EventKind::repaired},
    {"[ERROR] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] uce wrapper caught RuntimeError but uce not "
     "enable, enter MindIO TTP process.",
     EventKind::ttp},
    {"[ERROR] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] Enter mindio ttp exit process, which means other "
     "ranks occur exception, check "
     "other ranks' logs!",
     EventKind::ttp},
    {"[ERROR] D(5,python):2026-11-21-09:05:38.250.00 [m.cc:2] HCCEError error occurs when execute", EventKind::hcce},
    {"[WARNING] D(5:6,python):2026-11-21-09:05:38.250.00 [m.py:2] Set TFT replica with dp: [0, 4].", EventKind::ttp},
    {"rank:4, report group list: [0, 4]", EventKind::ttp},
    {"[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] 2 parameters in the 'net' are not loaded, "
     "because they are not in the "
     "'parameter_dict'",
     EventKind::warning},
    {"[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] Parse json file failed: x, please check json "
     "file: y",
     EventKind::warning},
    {"2025-04-07 15:34:27,308 - mindformers./output/log[mindformers/a.py:5] - ERROR - something", EventKind::error},
    {"ERROR:tensorflow:something", EventKind::error},
    {"=> no checkpoint found at 'a.pth.tar'", EventKind::warning},
    {"restarted: Mindx enabled, process controlled by mindx.", EventKind::ttp},
    {"save ckpt to rank_0/model_best.pth.tar done. Best epoch for now is :6", EventKind::saved},
    {"Train epoch time: 597.455 ms, per step time: 59.746 ms", EventKind::epochTime},
    {"epoch time: 597.455 ms, per step time: 59.746 ms (data time: 1.000 ms)", EventKind::epochTime},
};
INSTANTIATE_TEST_SUITE_P(Forms, OneEvent, testing::ValuesIn(events));

// A fault and its repair are two things: what is repaired in place has cost no step, and is no failure.
TEST(Events, ARepairInPlaceIsToldFromItsFault)
{
    Lines lines;
    lines
        << "[ERROR] ME(5:7,M):2026-11-21-09:05:38.250.00 [m.py:2] UCEError error occurs when execute, error_code=507053"
        << "[WARNING] ME(5:7,M):2026-11-21-09:05:39.250.00 [m.py:2] uce wrapper caught repair finish REPAIR STEP: 5 "
           "batch_num:10"
        << "[WARNING] ME(5:7,M):2026-11-21-09:05:39.350.00 [m.py:2] uce wrapper repair complete initial_epoch: 1, "
           "cb_initial_step: 5 "
        << "[WARNING] ME(5:7,M):2026-11-21-09:06:39.350.00 [m.py:2] Resume training after TREError from step 7.";
    lines.end();
    ASSERT_EQ(lines.parsed.events.size(), 4u);
    EXPECT_EQ(lines.parsed.events[0].kind, EventKind::uce);
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_EQ(lines.parsed.events[i].kind, EventKind::repaired);
        EXPECT_EQ(lines.parsed.events[i].text.find("repaired in place, 0 steps lost: "), 0u);
    }
}

TEST(Events, AWarningOfEachStepIsToldOnce)
{
    Lines lines;
    for (int i = 0; i < 5; ++i)
        lines << "[WARNING] ME(5:7,M):2026-11-21-09:05:38.250.00 [m.py:2] Parse json file failed: x, please check json "
                 "file: y";
    EXPECT_EQ(lines.parsed.events.size(), 1u);
}

TEST(Events, AChainOfExceptionsIsOneEventNamedByTheLast)
{
    Lines lines;
    lines << "Traceback (most recent call last):"
          << "  File \"a.py\", line 1, in f"
          << "KeyError: 'x'"
          << ""
          << "During handling of the above exception, another exception occurred:"
          << ""
          << "Traceback (most recent call last):"
          << "  File \"a.py\", line 3, in g"
          << "ValueError: bad"
          << "epoch: 1 step: 1, loss is 2.5";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].text.substr(0, 15), "ValueError: bad");
    EXPECT_NE(lines.parsed.events[0].text.find("KeyError: 'x'\n\nDuring"), std::string::npos);
    EXPECT_EQ(lines.parsed.samples.size(), 1u);
}

TEST(Events, ALogLineOfAnotherThreadDoesNotBreakATraceback)
{
    Lines lines;
    lines << "Traceback (most recent call last):"
          << "  File \"a.py\", line 1, in f"
          << "[INFO] PS(1,7f0e,python):2026-11-21-09:18:05.1.2 [a.cc:318] Start] Event base dispatch success!"
          << "RuntimeError: boom";
    lines.end();
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].text.substr(0, 18), "RuntimeError: boom");
}

TEST(Events, AnErrorLineKeepsItsContinuation)
{
    Lines lines;
    lines << "[ERROR] ME(5:7,M):2026-11-21-09:05:38.250.00 [m.py:2] first"
          << "    second"
          << "----"
          << "plain output of the script";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].text, "first\n    second\n----");
}

TEST(Events, AHugeTracebackIsBounded)
{
    Lines lines;
    lines << "Traceback (most recent call last):";
    for (int i = 0; i < 100000; ++i) lines << "  File \"" + std::string(100, 'a') + "\", line 1";
    lines.end();
    ASSERT_GE(lines.parsed.events.size(), 1u);
    EXPECT_LE(lines.parsed.events[0].text.size(), 16000u);
}

TEST(Events, TheFirstLineOfALogIsTold)
{
    Lines lines;
    lines.offset = 0;
    lines << "rank 0 of 1";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].kind, EventKind::started);
    EXPECT_EQ(lines.parsed.events[0].text, "rank 0 of 1");
}

TEST(Events, BytesThatAreNoTextBecomePrintable)
{
    Lines lines;
    lines << "[ERROR] ME(5:7,M):2026-11-21-09:05:38.250.00 [m.py:2] bad \xff byte \x1b[31mred";
    lines.end();
    EXPECT_EQ(lines.parsed.events.at(0).text, "bad \xef\xbf\xbd byte red");
}

struct ResumeCase {
    const char *line;
    const char *path;
    std::optional<std::int64_t> epoch, step, global;
};
class ResumeLine : public testing::TestWithParam<ResumeCase> {};

TEST_P(ResumeLine, TellsWhatWasLoaded)
{
    Lines lines;
    lines << GetParam().line;
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    const LogEvent &event = lines.parsed.events[0];
    EXPECT_EQ(event.kind, EventKind::resumed);
    EXPECT_EQ(event.path, GetParam().path);
    EXPECT_EQ(event.epoch, GetParam().epoch);
    EXPECT_EQ(event.step, GetParam().step);
    EXPECT_EQ(event.globalStep, GetParam().global);
}

const ResumeCase resumes[] = {
    {"resume from ./rank_0/lenet-2_10.ckpt: epoch 2, step 20, global_step 20", "./rank_0/lenet-2_10.ckpt", 2, 20, 20},
    {"Resuming training from checkpoint: /a/b.ckpt", "/a/b.ckpt", no, no, no},
    {"2026-01-02 INFO: resume from step 120", "", no, 120, no},
    {"[INFO] resumed from 'x y.ckpt' epoch=3", "x y.ckpt", 3, no, no},
    {"=> loaded checkpoint 'rank_0/checkpoint.pth.tar' (epoch 1)", "rank_0/checkpoint.pth.tar", 1, no, no},
    {"  Continuing training from global step 16", "", no, no, 16},
    {"INFO:tensorflow:Restoring parameters from est/model.ckpt-120", "est/model.ckpt-120", no, no, 120},
    {"2025-04-07 - mindformers - INFO - initial epoch: 2", "", 2, no, no},
    {"[gpu id: 0 ] => loaded checkpoint 'rank_0/model_best.pth.tar' (epoch 5)", "rank_0/model_best.pth.tar", 5, no, no},
    {"[rank1]: => loaded checkpoint 'a.pth.tar' (epoch 5)", "a.pth.tar", 5, no, no},
    {"load pre-trained model from: ./result/model.ckpt-4000", "./result/model.ckpt-4000", no, no, 4000},
    {"time stamp 2023.02.01-10:00:00 pre trained ckpt model output/checkpoint/ckpt_0/resnet50-3_625.ckpt loading",
     "output/checkpoint/ckpt_0/resnet50-3_625.ckpt", no, no, no},
    {"Start to load from /job/8p/rank_3/pangu3-2_8.ckpt", "/job/8p/rank_3/pangu3-2_8.ckpt", no, no, no},
    {"[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] Start to load from /c/pangu-2_8.ckpt",
     "/c/pangu-2_8.ckpt", no, no, no},
    {"  successfully loaded checkpoint from /ckpt [ t 1/1, p 1/1 ] at iteration 200", "/ckpt", no, no, 200},
};
INSTANTIATE_TEST_SUITE_P(Forms, ResumeLine, testing::ValuesIn(resumes));

class NothingLoaded : public testing::TestWithParam<const char *> {};

TEST_P(NothingLoaded, IsAWarningAtStepZero)
{
    Lines lines;
    (lines << GetParam()).end();
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].kind, EventKind::warning);
    EXPECT_TRUE(lines.parsed.events[0].nothingLoaded);
    EXPECT_EQ(lines.parsed.events[0].globalStep, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, NothingLoaded,
    testing::Values(
        "no valid ckpt found to resume.", "[default0]:[gpu id: 0 ] no valid ckpt found to resume.",
        "=> no checkpoint found at 'a.pth.tar'", "[gpu id: 1 ] => no checkpoint found at 'a.pth.tar'",
        "There is no ckpt file in /c, current ckpt_files found is [] with pattern /c/rank_0/p*.ckpt, so skip the "
        "loading.",
        "2023-02-01 10:00:00,000:WARNING:There is no ckpt file in out/ckpt_0, pre_trained is unsupported.",
        "[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] There is no ckpt file in /c, pre_trained is "
        "unsupported.",
        "Invalid pre_trained /job/none parameter.",
        "[2023-02-01 10:00:00,000] [WARNING] [engine.py:2700:load_checkpoint] Unable to find latest file at c/latest, "
        "if "
        "trying to load latest checkpoint please ensure this file exists"));

TEST(ResumeLines, AScriptsOwnPatternDoesNotHideThatNothingWasLoaded)
{
    LogSpec spec;
    spec.resume = "loaded (?P<path>\\S+)";
    Lines lines(spec);
    lines << "no valid ckpt found to resume.";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_TRUE(lines.parsed.events[0].nothingLoaded);
}

const std::vector<std::string> given{"/job/ckpt/rank_0/lenet-3_4.ckpt"};

TEST(ResumeLines, AnyLineThatNamesTheFileTheRankWasGivenIsItsLoadLine)
{
    for (const char *line :
         {"Using weights of /job/ckpt/rank_0/lenet-3_4.ckpt.", "[INFO] net: weights <- 'ckpt/rank_0/lenet-3_4.ckpt'",
          "path=./rank_0/lenet-3_4.ckpt, epoch 3",
          "[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [m.py:2] take /job/ckpt/rank_0/lenet-3_4.ckpt"}) {
        Lines lines;
        lines.parser->expectPaths(given);
        lines << line << line;
        ASSERT_EQ(lines.parsed.events.size(), 1u) << line;  // the first one says it
        EXPECT_EQ(lines.parsed.events[0].kind, EventKind::resumed);
        EXPECT_TRUE(lines.parsed.events[0].byPath);
        EXPECT_EQ(lines.parsed.events[0].path, given[0]);
    }
    Lines own;  // what a script says in a known form tells more
    own.parser->expectPaths(given);
    own << "resume from /job/ckpt/rank_0/lenet-3_4.ckpt: epoch 3, step 4, global_step 24";
    EXPECT_FALSE(own.parsed.events.at(0).byPath);
    EXPECT_EQ(own.parsed.events.at(0).globalStep, 24);
}

TEST(ResumeLines, APathIsNoWitnessInErrorsSavesArgumentsAndLongerNames)
{
    Lines lines;
    lines.parser->expectPaths(given);
    lines << "FileNotFoundError: /job/ckpt/rank_0/lenet-3_4.ckpt"
          << "cannot find /job/ckpt/rank_0/lenet-3_4.ckpt: failed"
          << "saved /job/ckpt/rank_0/lenet-3_4.ckpt"
          << "Namespace(resume='/job/ckpt/rank_0/lenet-3_4.ckpt')"
          << "+ python train.py --resume /job/ckpt/rank_0/lenet-3_4.ckpt"
          << "using /job/ckpt/rank_0/lenet-3_4.ckpt_old"
          << "using /job/ckpt/rank_1/lenet-3_4.ckpt"
          << "using /other/rank_0/lenet-3_4.ckpt"
          << "using mylenet-3_4.ckpt";
    lines.end();
    for (const LogEvent &event : lines.parsed.events) EXPECT_NE(event.kind, EventKind::resumed) << event.text;
}

TEST(ResumeLines, PanguTellsAGaspInSeveralLines)
{
    Lines lines;
    lines << "restore ranks: 0,1, restore dict: {0: 0, 1: 0}"
          << "loading map rank id 0"
          << " checkpoint files /job/8p/rank_0/pangu0-2_4_breakpoint.ckpt"
          << " checkpoint param dict epoch num 2";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].kind, EventKind::resumed);
    EXPECT_EQ(lines.parsed.events[0].path, "/job/8p/rank_0/pangu0-2_4_breakpoint.ckpt");
    EXPECT_EQ(lines.parsed.events[0].epoch, 2);
}

TEST(ResumeLines, AListOfCandidatesIsNoLoad)
{
    Lines lines;
    lines << "time stamp 2023.02.01-10:00:00 pre trained ckpt model ['a.ckpt', 'b.ckpt'] loading";
    EXPECT_TRUE(lines.parsed.events.empty());
}

TEST(Events, AnErrorRightBehindAnotherIsAnEventOfItsOwn)
{
    Lines lines;
    (lines << "[ERROR] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [mindspore/a.py:2] something"
           << "ERROR: the data set is gone")
        .end();
    ASSERT_EQ(lines.parsed.events.size(), 2u);
    EXPECT_EQ(lines.parsed.events[0].text, "something");
    EXPECT_EQ(lines.parsed.events[1].text, "ERROR: the data set is gone");
}

TEST(Events, ReplicasAreTakenFromTheLinesThatNameThem)
{
    using Groups = std::vector<std::vector<int>>;
    Lines lines;
    lines << "[WARNING] D(5:6,python):2026-11-21-09:05:38.250.00 [m.py:2] Set TFT replica with dp: [0, 4]."
          << "rank:4, report group list: [[0, 4], [1, 5]]"
          << "rank:4, report group list: []"
          << "rank:4, report group list: [0, x]";
    ASSERT_EQ(lines.parsed.events.size(), 4u);
    EXPECT_EQ(lines.parsed.events[0].replicaGroups, (Groups{{0, 4}}));
    EXPECT_EQ(lines.parsed.events[1].replicaGroups, (Groups{{0, 4}, {1, 5}}));
    EXPECT_EQ(lines.parsed.events[2].replicaGroups, Groups{});
    EXPECT_EQ(lines.parsed.events[3].replicaGroups, Groups{});
}

TEST(Metrics, TotalsThroughputAndTimesOfASample)
{
    Lines lines;
    lines << "Epoch 2/4"
          << "3/5 [==>...] - 1s 127ms/step - loss: 1.3164 - learning_rate: 0.01"
          << "Epoch [1/5], Step [100/600], Loss: 0.5, loss_scale: 1024, throughput: 12.5"
          << " iteration      100/     500 | throughput per GPU (TFLOP/s/GPU): 81.5 | lm loss: 2.5E+00 | loss scale: "
             "2.0 |"
          << "step 7/70 loss 0.25"
          << "Epoch: [1][ 2/6]\tTime  0.250 ( 0.300)\tData  0.1\tLoss 7.0842e-01 (1.0744e+00)";
    ASSERT_EQ(lines.parsed.samples.size(), 5u);
    const auto &samples = lines.parsed.samples;
    EXPECT_EQ(samples[0].total, 20);
    EXPECT_EQ(samples[0].learningRate, 0.01);
    EXPECT_EQ(samples[1].total, 3000);
    EXPECT_EQ(samples[1].lossScale, 1024);
    EXPECT_EQ(samples[1].throughput, 12.5);
    EXPECT_EQ(samples[2].total, 500);
    EXPECT_EQ(samples[2].throughput, 81.5);
    EXPECT_EQ(samples[3].total, 70);
    EXPECT_EQ(samples[4].stepMs, 250);
    EXPECT_EQ(samples[4].total, 0);
}

TEST(ResumeLines, MindFormersTellsInSeveralLines)
{
    Lines lines;
    lines << "... - INFO - Get resume checkpoint: output/checkpoint/rank_0/llama_rank_0-10_2.ckpt"
          << "... - INFO - initial epoch: 1"
          << "... - INFO - initial step: 40";
    ASSERT_EQ(lines.parsed.events.size(), 2u);
    EXPECT_EQ(lines.parsed.events[1].path, "output/checkpoint/rank_0/llama_rank_0-10_2.ckpt");
    EXPECT_EQ(lines.parsed.events[1].epoch, 1);
    EXPECT_EQ(lines.parsed.events[1].step, 40);
}

TEST(CustomPattern, FindsSamplesAndLoads)
{
    LogSpec spec;
    spec.sample =
        R"(E(?P<epoch>\d+)/S(?P<step>\d+) g(?P<global_step>\d+) L=(?P<loss>\S+) lr=(?P<lr>\S+) t=(?P<step_time_ms>[\d.]+))";
    spec.resume = R"(geladen: (?P<path>\S+) bei (?P<global_step>\d+))";
    Lines lines(spec);
    lines << "xx E3/S7 g41207 L=nan lr=1e-4 t=12.5"
          << "epoch: 1 step: 1, loss is 2.5"
          << "geladen: /a/b bei 40"
          << "=> loaded checkpoint 'x' (epoch 1)"
          << "E3/S8 g41208 L=abc lr=1e-4 t=1";
    ASSERT_EQ(lines.parsed.samples.size(), 1u);
    const Sample &sample = lines.parsed.samples[0];
    EXPECT_EQ(sample.epoch, 3);
    EXPECT_EQ(sample.step, 7);
    EXPECT_EQ(sample.globalStep, 41207);
    EXPECT_TRUE(std::isnan(sample.loss));
    EXPECT_EQ(sample.learningRate, 1e-4);
    EXPECT_EQ(sample.stepMs, 12.5);
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].path, "/a/b");
    EXPECT_EQ(lines.parsed.events[0].globalStep, 40);
    EXPECT_EQ(lines.parser->rejected(), 1u);
}

TEST(CustomPattern, ErrorsNameKeyExpectedAndFound)
{
    const auto errorOf = [](const LogSpec &spec) {
        const Result<std::unique_ptr<LogParser>> parser = LogParser::make(Framework::automatic, spec, LogRole::worker);
        EXPECT_FALSE(parser.has_value());
        return parser.has_value() ? Error{} : parser.error();
    };
    LogSpec spec;
    spec.sample = "loss (";
    EXPECT_EQ(errorOf(spec).kind, ErrorKind::invalid);
    EXPECT_NE(errorOf(spec).message.find("logs.sample: expected a regular expression in RE2 syntax, found missing )"),
              std::string::npos);
    spec.sample = R"(step (?P<step>\d+))";
    EXPECT_NE(errorOf(spec).message.find("expected the group (?P<loss>…)"), std::string::npos);
    spec.sample.clear();
    spec.resume = "loaded";
    EXPECT_NE(errorOf(spec).message.find("logs.resume: expected at least one of the groups"), std::string::npos);
}

TEST(Frameworks, ATensorFlowJobHasNoLossMonitor)
{
    Lines lines({}, Framework::mindspore);
    lines << "Epoch 1/4"
          << "3/3 - 0s - loss: 1.2969";
    EXPECT_TRUE(lines.parsed.samples.empty());
    for (const Framework framework : {Framework::mindspore, Framework::mindformers, Framework::automatic}) {
        Lines one({}, framework);
        one << "epoch: 1 step: 2, loss is 2.5";
        EXPECT_EQ(one.parsed.samples.size(), 1u);
    }
}

TEST(Launcher, FindsItsWordsInTornLines)
{
    Lines lines({}, Framework::automatic, LogRole::launcher);
    lines << "epoch: 2 step: 2, loss is 2.28[ERROR] ME(1832:14,MainProcess):2026-11-21-09:20:10.3.0 "
             "[x/process_entity/_api.py:363] Worker process 1842 "
             "exit with exception. Error code: -9."
          << "log/scheduler.log:35:[ERROR] DISTRIBUTED(1,7f,python):2026-11-21-09:20:40.2.8 [m.cc:511] U] The node: 0 "
             "is timed out.";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].pid, 1842);
    EXPECT_EQ(lines.parsed.events[0].exitCode, -9);
    EXPECT_EQ(lines.parser->pid(), 1832);
}

// Whatever bytes come, nothing but samples, events and counts comes out; sizes stay bounded.
TEST(Hostile, RandomBytesAndBrokenFormsAreBorne)
{
    std::mt19937 random(11);
    const std::vector<std::string> seeds{
        cases[0].line,
        cases[12].line,
        cases[15].line,
        cases[19].line,
        cases[21].line,
        cases[24].line,
        events[0].line,
        resumes[0].line,
        "Traceback (most recent call last):",
        "\r1/3 [==>] - ETA: 0s - loss: 1.9\b\b\r3/3 [===] - 1s 127ms/step - loss: 1.3"};
    Lines worker;
    Lines launcher({}, Framework::automatic, LogRole::launcher);
    std::size_t most = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string line = seeds[random() % seeds.size()];
        for (auto changes = random() % 6; changes > 0; --changes) {
            const std::size_t at = random() % (line.size() + 1);
            if (random() % 2 == 0 && at < line.size()) {
                line[at] = static_cast<char>(random());
            } else {
                line.insert(at, seeds[random() % seeds.size()].substr(random() % 10, random() % 20));
            }
        }
        worker << line;
        launcher << line;
        for (const LogEvent &event : worker.parsed.events) most = std::max(most, event.text.size());
        worker.parsed = {};
    }
    worker << std::string(1u << 20, 'e') << std::string(1u << 20, ' ') << "epoch: " + std::string(1u << 20, '9');
    worker.end();
    EXPECT_LE(most, 16000u);
}

}  // namespace
}  // namespace rankdeck
