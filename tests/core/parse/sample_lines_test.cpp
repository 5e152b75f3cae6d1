// SPDX-License-Identifier: GPL-3.0-or-later
// Single lines that are samples, in every known form, and lines that must not be taken for samples.
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rankdeck::sample_lines_test {
namespace {

struct Case {
    const char *line;
    std::optional<std::int64_t> epoch, step, global;
    double loss;
};
const std::nullopt_t no = std::nullopt;
const double nan = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

class OneLine : public testing::TestWithParam<Case> {};

TEST_P(OneLine, GivesASample)
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
    {"[gpu id: 1 ] Epoch: [3][ 0/5]\tTime  0.814 ( 0.100)\tLoss 5.0192e-01 (5.0192e-01)", 4, 1, no, 0.50192},
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
    {"train_loss 0.5 step 3", no, no, 3, 0.5},
    {"Epoch 3 loss 0.5", 3, no, no, 0.5},
};
INSTANTIATE_TEST_SUITE_P(Forms, OneLine, testing::ValuesIn(cases));

class NoSample : public testing::TestWithParam<const char *> {};

TEST_P(NoSample, GivesNoSample)
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
    "Loss for final step: 8.207973e-06.",
    " * Acc@1 62.500 Acc@5 100.000",
    "step 5: loss of connection",
    "step 3 loss 50%",
    "step 3 loss 2.5e",
    "step 3 lossless 2",
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
    // Lines of a normal start and end of MindSpore that look alarming.
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

TEST(MindFormersLine, GivesAllItsNumbers)
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
    Lines other;  // max_steps = 18, with 8 steps per epoch: 18 / 3 is not an epoch
    other << "  Num Epochs = 3"
          << "  Total optimization steps = 18"
          << "{'loss': 4.0, 'epoch': 0.25}";
    EXPECT_FALSE(other.parsed.samples.at(0).globalStep.has_value());
    EXPECT_EQ(other.parsed.samples.at(0).fractionalEpoch, 0.25);
}

// MindX DL's ResNet50 for TensorFlow: the step counts over all epochs, also at the end of an epoch.
TEST(FractionalEpoch, IsRecognisedEvenIfItIsAWholeNumber)
{
    Lines lines;
    for (const char *line : {"step:    45  epoch:  0.9  FPS:  301.6  loss: 1.911  total_loss: 2.411  lr:0.00200",
                             "step:    50  epoch:  1.0  FPS:  301.6  loss: 1.901  total_loss: 2.401  lr:0.00200",
                             "step:   100  epoch:  2.0  FPS:  301.6  loss: 1.701  total_loss: 2.201  lr:0.00200"})
        lines << line;
    ASSERT_EQ(lines.parsed.samples.size(), 3u);
    for (const Sample &sample : lines.parsed.samples) {
        EXPECT_FALSE(sample.epoch || sample.step);
        EXPECT_TRUE(sample.globalStep && sample.fractionalEpoch);
    }
    EXPECT_EQ(lines.parsed.samples[1].globalStep, 50);
    lines << "epoch 1, step 50, loss 1.9";
    EXPECT_EQ(lines.parsed.samples.at(3).step, 50);
}

TEST(Keras, LineWithoutItsEpochLineCountsAsRejected)
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

TEST(LossMonitorLine, MalformedLinesCountAsRejected)
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

TEST(Metrics, TotalsThroughputAndTimesAreReadFromASample)
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

}  // namespace
}  // namespace rankdeck::sample_lines_test
