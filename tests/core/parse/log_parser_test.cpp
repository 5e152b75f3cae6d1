// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns of the job file, several frameworks, launchers, and bytes that are not a log.
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rankdeck::log_parser_test {
namespace {

TEST(CustomPattern, FindsSamplesAndCheckpointLoads)
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

TEST(CustomPattern, ErrorsNameTheKeyAndExpectedAndActualValue)
{
    const auto errorOf = [](const LogSpec &spec) {
        const Result<std::unique_ptr<LogParser>> parser = LogParser::make(spec, LogRole::worker);
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

TEST(Launcher, FindsMessagesInTornLines)
{
    Lines lines({}, LogRole::launcher);
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

// For any bytes, the results are only samples, events and counts, with bounded sizes.
TEST(Hostile, RandomBytesAndBrokenFormsAreBounded)
{
    std::mt19937 random(11);
    const std::vector<std::string> seeds{
        "epoch: 1 step: 2, loss is 2.3025550842285156",
        ("epoch: 1 step: 1, loss is (Tensor(shape=[], dtype=Float32, value= 4.5), Tensor(shape=[], dtype=Bool, value= "
         "False))"),
        ("2025-04-07 15:34:27,308 - mindformers./output/log[mindformers/core/callback/callback.py:529] - INFO - { "
         "Epoch:[  "
         "1/  2], "
         "step:[   10/ 1875], loss: 7.123, per_step_time: 1234ms, lr: 1e-05, overflow cond: False, loss_scale: 1024.0, "
         "global_norm: [1.5], "
         "train_throughput_per_npu: 12.345T"),
        ("Epoch: [1][ 2/6]\tTime  0.003 ( 0.003)\tData  0.000 ( 0.000)\tLoss 7.0842e-01 (1.0744e+00)\tAcc@1  50.00 ( "
         "50.00)"),
        "{'loss': 4.1646, 'grad_norm': 0.66, 'learning_rate': 0.0008, 'epoch': 0.5}",
        (" iteration      100/     500 | consumed samples:         1600 | elapsed time per iteration (ms): 512.5 | "
         "learning rate: 1.5E-04 | "
         "lm loss: 2.5E+00 | loss scale: 1.0 | grad norm: 1.25 |"),
        ("[WARNING] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [mindspore/a.py:240] Graceful exit is triggered, "
         "stop "
         "training."),
        "resume from ./rank_0/lenet-2_10.ckpt: epoch 2, step 20, global_step 20",
        "Traceback (most recent call last):",
        "\r1/3 [==>] - ETA: 0s - loss: 1.9\b\b\r3/3 [===] - 1s 127ms/step - loss: 1.3"};
    Lines worker;
    Lines launcher({}, LogRole::launcher);
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
}  // namespace rankdeck::log_parser_test
