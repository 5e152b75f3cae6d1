// SPDX-License-Identifier: GPL-3.0-or-later
// Whole logs of real runs. The expected numbers were counted in the files with grep, not taken from this parser.
#include "core/parse/log_parser.h"

#include "core/follow/line_follower.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace rankdeck::real_logs_test {
namespace {

struct Read {
    Parsed parsed;
    std::uint64_t rejected = 0;
    std::optional<int> pid = {};
};

std::string bytesOf(const std::string &name)
{
    std::ifstream file(testData() + "/logs/" + name, std::ios::binary);
    EXPECT_TRUE(file.good()) << name;
    std::stringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

Read readLog(const std::string &name, LogRole role = LogRole::worker)
{
    Read read;
    const std::unique_ptr<LogParser> parser = std::move(LogParser::make({}, role)).value();
    const auto sink = [&](std::string_view line, std::uint64_t offset) { parser->line(line, offset, read.parsed); };
    LineFollower follower;
    TailChunk chunk;
    chunk.bytes = bytesOf(name);
    follower.chunk(chunk, sink);
    follower.finish(sink);
    parser->finish(read.parsed);
    read.rejected = parser->rejected();
    read.pid = parser->pid();
    return read;
}

// Kinds of events in order, without those that every log has.
std::string kindsOf(const Parsed &parsed)
{
    std::string text;
    for (const LogEvent &event : parsed.events)
        if (event.kind != EventKind::started && event.kind != EventKind::epochTime && event.kind != EventKind::waits)
            text += (text.empty() ? "" : " ") + std::string(eventKindName(event.kind));
    return text;
}

const LogEvent *firstOf(const Parsed &parsed, EventKind kind)
{
    for (const LogEvent &event : parsed.events)
        if (event.kind == kind) return &event;
    return nullptr;
}

struct Row {
    const char *log;
    std::size_t samples;
    std::int64_t firstEpoch, firstStep;
    double firstLoss;
    std::int64_t lastEpoch, lastStep;
    double lastLoss;
    int pid;
    const char *events;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const Row rows[] = {
    {"2.0.0/alone/append_info.log", 20, 1, 1, 2.3025550842285156, 2, 10, 2.3015847206115723, 0, ""},
    {"2.0.0/alone/breakpoint.log", 13, 1, 1, 2.3025550842285156, 2, 3, 2.302696704864502, 0, "error"},
    {"2.0.0/alone/nan.log", 20, 1, 1, 2.3025550842285156, 2, 10, nan, 0, ""},
    {"2.10.0/alone/append_info.log", 20, 1, 1, 2.2659149169921875, 2, 10, 2.325324773788452, 7552, ""},
    {"2.10.0/alone/breakpoint.log", 13, 1, 1, 2.2659149169921875, 2, 3, 2.3074283599853516, 7571, "error"},
    {"2.10.0/alone/nan.log", 20, 1, 1, 2.2659149169921875, 2, 10, nan, 7647, ""},
    {"2.10.0/graceful/worker_0.log", 14, 1, 1, 2.2659149169921875, 2, 4, 2.2894139289855957, 5280, "graceful_exit"},
    {"2.10.0/graceful/worker_1.log", 14, 1, 1, 2.312422275543213, 2, 4, 2.357297420501709, 5282, "graceful_exit"},
    {"2.10.0/graceful/worker_2.log", 14, 1, 1, 2.295088052749634, 2, 4, 2.297435998916626, 5284, "graceful_exit"},
    {"2.10.0/graceful/worker_3.log", 14, 1, 1, 2.308579206466675, 2, 4, 2.344151735305786, 5286, "graceful_exit"},
    {"2.10.0/raise/worker_0.log", 13, 1, 1, 2.2659149169921875, 2, 3, 2.3083019256591797, 6363, ""},
    {"2.10.0/raise/worker_1.log", 13, 1, 1, 2.312422275543213, 2, 3, 2.315195083618164, 6371, "error"},
    {"2.10.0/raise/worker_2.log", 13, 1, 1, 2.295088052749634, 2, 3, 2.275569438934326, 6373, ""},
    {"2.10.0/raise/worker_3.log", 13, 1, 1, 2.308579206466675, 2, 3, 2.2805721759796143, 6375, ""},
    {"2.7.0/alone/append_info.log", 20, 1, 1, 2.2659149169921875, 2, 10, 2.325324773788452, 7124, ""},
    {"2.7.0/alone/breakpoint.log", 13, 1, 1, 2.2659149169921875, 2, 3, 2.3074283599853516, 7218, "error"},
    {"2.7.0/alone/nan.log", 20, 1, 1, 2.2659149169921875, 2, 10, nan, 7338, ""},
    {"2.7.0/graceful/worker_0.log", 14, 1, 1, 2.2659149169921875, 2, 4, 2.2894139289855957, 32008, "graceful_exit"},
    {"2.7.0/graceful/worker_1.log", 14, 1, 1, 2.312422275543213, 2, 4, 2.357297420501709, 32010, "graceful_exit"},
    {"2.7.0/graceful/worker_2.log", 14, 1, 1, 2.295088052749634, 2, 4, 2.297435998916626, 32012, "graceful_exit"},
    {"2.7.0/graceful/worker_3.log", 14, 1, 1, 2.308579206466675, 2, 4, 2.344151735305786, 32014, "graceful_exit"},
    {"2.7.0/graceful_relaunch_stale_flag/worker_0.log", 1, 1, 1, 2.2659149169921875, 1, 1, 2.2659149169921875, 1453,
     "graceful_exit"},
    {"2.7.0/graceful_relaunch_stale_flag/worker_1.log", 1, 1, 1, 2.312422275543213, 1, 1, 2.312422275543213, 1455,
     "graceful_exit"},
    {"2.7.0/graceful_relaunch_stale_flag/worker_2.log", 1, 1, 1, 2.295088052749634, 1, 1, 2.295088052749634, 1459,
     "graceful_exit"},
    {"2.7.0/graceful_relaunch_stale_flag/worker_3.log", 1, 1, 1, 2.308579206466675, 1, 1, 2.308579206466675, 1461,
     "graceful_exit"},
    {"2.7.0/graceful_relaunch_stale_train_ckpt/worker_0.log", 0, 0, 0, 0, 0, 0, 0, 32363, "error error"},
    {"2.7.0/graceful_relaunch_stale_train_ckpt/worker_1.log", 0, 0, 0, 0, 0, 0, 0, 32365, ""},
    {"2.7.0/graceful_relaunch_stale_train_ckpt/worker_2.log", 0, 0, 0, 0, 0, 0, 0, 32367, "error error"},
    {"2.7.0/graceful_relaunch_stale_train_ckpt/worker_3.log", 0, 0, 0, 0, 0, 0, 0, 32369, "error error"},
    {"2.7.0/graceful_without_shim/worker_0.log", 0, 0, 0, 0, 0, 0, 0, 4387, "error"},
    {"2.7.0/graceful_without_shim/worker_1.log", 0, 0, 0, 0, 0, 0, 0, 4389, ""},
    {"2.7.0/graceful_without_shim/worker_2.log", 0, 0, 0, 0, 0, 0, 0, 4391, ""},
    {"2.7.0/graceful_without_shim/worker_3.log", 0, 0, 0, 0, 0, 0, 0, 4393, ""},
    {"2.7.0/hang/worker_0.log", 13, 1, 1, 2.2659149169921875, 2, 3, 2.3083019256591797, 28174, "error error error"},
    {"2.7.0/hang/worker_1.log", 13, 1, 1, 2.312422275543213, 2, 3, 2.315195083618164, 28176, "error error error"},
    {"2.7.0/hang/worker_2.log", 13, 1, 1, 2.295088052749634, 2, 3, 2.275569438934326, 28183, "error error error"},
    {"2.7.0/hang/worker_3.log", 13, 1, 1, 2.308579206466675, 2, 3, 2.2805721759796143, 28202, ""},
    {"2.7.0/nan/worker_0.log", 6, 1, 1, 2.2659149169921875, 1, 6, 2.3188133239746094, 3913, "error"},
    {"2.7.0/nan/worker_1.log", 6, 1, 1, 2.312422275543213, 1, 6, 2.2588818073272705, 3915, "error"},
    {"2.7.0/nan/worker_2.log", 6, 1, 1, 2.295088052749634, 1, 6, 2.3419711589813232, 3917, "error"},
    {"2.7.0/nan/worker_3.log", 6, 1, 1, 2.308579206466675, 1, 6, 2.274473190307617, 3919, "error"},
    {"2.7.0/normal/worker_0.log", 20, 1, 1, 2.2659149169921875, 2, 10, 2.3269102573394775, 31061, ""},
    {"2.7.0/normal/worker_1.log", 20, 1, 1, 2.312422275543213, 2, 10, 2.3095414638519287, 31064, ""},
    {"2.7.0/normal/worker_2.log", 20, 1, 1, 2.295088052749634, 2, 10, 2.340019464492798, 31075, ""},
    {"2.7.0/normal/worker_3.log", 20, 1, 1, 2.308579206466675, 2, 10, 2.2726218700408936, 31077, ""},
    {"2.7.0/raise/worker_0.log", 13, 1, 1, 2.2659149169921875, 2, 3, 2.3083019256591797, 2804, ""},
    {"2.7.0/raise/worker_1.log", 13, 1, 1, 2.312422275543213, 2, 3, 2.315195083618164, 2809, "error"},
    {"2.7.0/raise/worker_2.log", 13, 1, 1, 2.295088052749634, 2, 3, 2.275569438934326, 2812, ""},
    {"2.7.0/raise/worker_3.log", 13, 1, 1, 2.308579206466675, 2, 3, 2.2805721759796143, 2814, ""},
    {"2.7.0/resume/worker_0.log", 20, 3, 1, 2.2675366401672363, 4, 10, 2.322744607925415, 4984, "resumed"},
    {"2.7.0/resume/worker_1.log", 20, 3, 1, 2.305626630783081, 4, 10, 2.3050522804260254, 4986, "resumed"},
    {"2.7.0/resume/worker_2.log", 20, 3, 1, 2.293562650680542, 4, 10, 2.3327646255493164, 4988, "resumed"},
    {"2.7.0/resume/worker_3.log", 20, 3, 1, 2.3047540187835693, 4, 10, 2.2767717838287354, 4990, "resumed"},
    {"2.7.0/resume_first_attempt/worker_0.log", 20, 1, 1, 2.2659149169921875, 2, 10, 2.3269102573394775, 4854, ""},
    {"2.7.0/resume_first_attempt/worker_1.log", 20, 1, 1, 2.312422275543213, 2, 10, 2.3095414638519287, 4856, ""},
    {"2.7.0/resume_first_attempt/worker_2.log", 20, 1, 1, 2.295088052749634, 2, 10, 2.340019464492798, 4858, ""},
    {"2.7.0/resume_first_attempt/worker_3.log", 20, 1, 1, 2.308579206466675, 2, 10, 2.2726218700408936, 4860, ""},
    {"2.7.0/sigkill/worker_0.log", 13, 1, 1, 2.2659149169921875, 2, 3, 2.3083019256591797, 1838, ""},
    {"2.7.0/sigkill/worker_1.log", 13, 1, 1, 2.312422275543213, 2, 3, 2.315195083618164, 1840, ""},
    {"2.7.0/sigkill/worker_2.log", 13, 1, 1, 2.295088052749634, 2, 3, 2.275569438934326, 1842, ""},
    {"2.7.0/sigkill/worker_3.log", 13, 1, 1, 2.308579206466675, 2, 3, 2.2805721759796143, 1844, ""},
    {"2.7.0/sigkill_join_false/worker_0.log", 13, 1, 1, 2.2659149169921875, 2, 3, 2.3083019256591797, 8792,
     "error error warning warning"},
    {"2.7.0/sigkill_join_false/worker_1.log", 13, 1, 1, 2.312422275543213, 2, 3, 2.315195083618164, 8793,
     "error error warning warning"},
    {"2.7.0/sigkill_join_false/worker_2.log", 13, 1, 1, 2.295088052749634, 2, 3, 2.275569438934326, 8794, ""},
    {"2.7.0/sigkill_join_false/worker_3.log", 13, 1, 1, 2.308579206466675, 2, 3, 2.2805721759796143, 8795,
     "error error warning warning"},
    {"2.7.0/two_nodes/log_node0/worker_0.log", 20, 1, 1, 2.2659149169921875, 2, 10, 2.3269102573394775, 30119, ""},
    {"2.7.0/two_nodes/log_node0/worker_1.log", 20, 1, 1, 2.312422275543213, 2, 10, 2.3095414638519287, 30122, ""},
    {"2.7.0/two_nodes/log_node1/worker_2.log", 20, 1, 1, 2.295088052749634, 2, 10, 2.340019464492798, 30117, ""},
    {"2.7.0/two_nodes/log_node1/worker_3.log", 20, 1, 1, 2.308579206466675, 2, 10, 2.2726218700408936, 30121, ""},
    {"2.7.0/two_nodes_no_node_rank/log_node0/worker_0.log", 20, 1, 1, 2.2659149169921875, 2, 10, 2.3269102573394775,
     7778, ""},
    {"2.7.0/two_nodes_no_node_rank/log_node0/worker_1.log", 20, 1, 1, 2.295088052749634, 2, 10, 2.340019464492798, 7782,
     ""},
    {"2.7.0/two_nodes_no_node_rank/log_node1/worker_0.log", 20, 1, 1, 2.312422275543213, 2, 10, 2.3095414638519287,
     7783, ""},
    {"2.7.0/two_nodes_no_node_rank/log_node1/worker_1.log", 20, 1, 1, 2.308579206466675, 2, 10, 2.2726218700408936,
     7786, ""},
    {"2.7.0/two_nodes_sigkill/log_node0/worker_0.log", 3, 1, 1, 2.2659149169921875, 1, 3, 2.3075075149536133, 7296,
     "error error warning warning"},
    {"2.7.0/two_nodes_sigkill/log_node0/worker_1.log", 3, 1, 1, 2.312422275543213, 1, 3, 2.316627025604248, 7298,
     "error error"},
    {"2.7.0/two_nodes_sigkill/log_node1/worker_2.log", 3, 1, 1, 2.295088052749634, 1, 3, 2.2753021717071533, 7289, ""},
    {"2.7.0/two_nodes_sigkill/log_node1/worker_3.log", 3, 1, 1, 2.308579206466675, 1, 3, 2.2783362865448, 7291, ""},
};

class MindSporeLogs : public testing::TestWithParam<Row> {};

TEST_P(MindSporeLogs, ContainTheExpectedSamplesAndEvents)
{
    const Row &row = GetParam();
    const Read read = readLog(std::string("mindspore/") + row.log);
    EXPECT_EQ(read.parsed.samples.size(), row.samples);
    EXPECT_EQ(kindsOf(read.parsed), row.events);
    EXPECT_EQ(read.rejected, 0u);
    EXPECT_EQ(read.pid.value_or(0), row.pid);
    if (row.samples == 0 || read.parsed.samples.empty()) return;
    const Sample &first = read.parsed.samples.front();
    const Sample &last = read.parsed.samples.back();
    EXPECT_EQ(first.epoch, row.firstEpoch);
    EXPECT_EQ(first.step, row.firstStep);
    EXPECT_EQ(first.loss, row.firstLoss);
    EXPECT_EQ(last.epoch, row.lastEpoch);
    EXPECT_EQ(last.step, row.lastStep);
    EXPECT_EQ(std::isnan(last.loss), std::isnan(row.lastLoss));
    if (!std::isnan(row.lastLoss)) { EXPECT_EQ(last.loss, row.lastLoss); }
}

std::string nameOf(const testing::TestParamInfo<Row> &row)
{
    std::string name = row.param.log;
    for (char &c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, MindSporeLogs, testing::ValuesIn(rows), nameOf);

// The targets of jumps in the log view.
TEST(MindSporeLog, EventsHaveTheOffsetsOfTheirLines)
{
    const std::string bytes = bytesOf("mindspore/2.7.0/hang/worker_0.log");
    const Parsed parsed = readLog("mindspore/2.7.0/hang/worker_0.log").parsed;
    std::vector<std::string> starts;
    for (const LogEvent &event : parsed.events)
        if (event.kind == EventKind::error) starts.push_back(bytes.substr(event.offset, 9));
    EXPECT_EQ(starts, (std::vector<std::string>{"[ERROR] P", "[ERROR] K", "Traceback"}));
    const Sample &sample = parsed.samples.front();
    EXPECT_EQ(bytes.substr(sample.offset, 45), "epoch: 1 step: 1, loss is 2.2659149169921875\n");
}

TEST(MindSporeLog, TracebackIsOneEventThatBeginsWithTheException)
{
    const Parsed parsed = readLog("mindspore/2.7.0/raise/worker_1.log").parsed;
    const LogEvent *error = firstOf(parsed, EventKind::error);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->text.substr(0, error->text.find('\n')),
              "RuntimeError: injected failure: second line of the message");
    EXPECT_NE(error->text.find("in on_train_step_end"), std::string::npos);
    EXPECT_EQ(error->pid, 2809);
    const std::string bytes = bytesOf("mindspore/2.7.0/raise/worker_1.log");
    const std::string block = bytes.substr(error->offset, error->length);
    EXPECT_EQ(block.substr(block.size() - 26), "second line of the message");
}

TEST(MindSporeLog, CppErrorWithAnEmptyFirstLineIsNamedByTheNextLine)
{
    const Parsed hang = readLog("mindspore/2.7.0/hang/worker_0.log").parsed;
    const LogEvent &launch = hang.events.back();
    EXPECT_EQ(launch.text.substr(0, launch.text.find('\n')),
              "RuntimeError: Launch kernel failed: Default/grad_reducer-DistributedGradReducer/AllReduce-op2");
    EXPECT_NE(launch.text.find("kernel_actor.cc:1013 OnMemoryAllocFinish"), std::string::npos);
    const Parsed shim = readLog("mindspore/2.7.0/graceful_without_shim/worker_0.log").parsed;
    EXPECT_EQ(firstOf(shim, EventKind::error)->text.substr(0, 74),
              "TypeError: Select CPU operator[AllReduce] fail! Unsupported data type!\nTra");
}

TEST(MindSporeLog, NaNErrorOfLossMonitorNamesItsStep)
{
    const Parsed parsed = readLog("mindspore/2.7.0/nan/worker_0.log").parsed;
    const LogEvent *error = firstOf(parsed, EventKind::error);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->epoch, 1);
    EXPECT_EQ(error->step, 7);
}

TEST(MindSporeLog, LineOfTheScriptShowsWhatWasLoaded)
{
    const Parsed parsed = readLog("mindspore/2.7.0/resume/worker_2.log").parsed;
    const LogEvent *resumed = firstOf(parsed, EventKind::resumed);
    ASSERT_NE(resumed, nullptr);
    EXPECT_EQ(resumed->path, "./rank_2/lenet-2_10.ckpt");
    EXPECT_EQ(resumed->epoch, 2);
    EXPECT_EQ(resumed->step, 20);
    EXPECT_EQ(resumed->globalStep, 20);
}

TEST(MindSporeLog, TimeMonitorShowsStepsPerEpoch)
{
    const Parsed parsed = readLog("mindspore/2.7.0/normal/worker_0.log").parsed;
    const LogEvent *time = firstOf(parsed, EventKind::epochTime);
    ASSERT_NE(time, nullptr);
    EXPECT_EQ(time->stepsPerEpoch, 10);
    EXPECT_EQ(parsed.samples.back().stepsPerEpoch, 10);
    EXPECT_EQ(parsed.samples.front().stepsPerEpoch, 0);
}

struct Death {
    const char *log;
    int pid;
    std::optional<int> exitCode;
    std::optional<int> rank;
};

class Launchers : public testing::TestWithParam<Death> {};

TEST_P(Launchers, NameTheRankThatEndedFirst)
{
    const Parsed parsed = readLog(GetParam().log, LogRole::launcher).parsed;
    EXPECT_TRUE(parsed.samples.empty());
    std::vector<LogEvent> deaths;
    for (const LogEvent &event : parsed.events)
        if (event.kind == EventKind::rankDied) deaths.push_back(event);
    ASSERT_EQ(deaths.size(), GetParam().pid == 0 ? 0u : 1u);
    if (deaths.empty()) return;
    EXPECT_EQ(deaths[0].pid, GetParam().pid);
    EXPECT_EQ(deaths[0].exitCode, GetParam().exitCode);
    EXPECT_EQ(deaths[0].rank, GetParam().rank);
}

const Death launchers[] = {
    {"mindspore/2.7.0/sigkill/msrun.out", 1842, -9, {}},
    {"mindspore/2.7.0/two_nodes_sigkill/msrun_0.out", 7296, -15, {}},
    {"mindspore/2.7.0/two_nodes_sigkill/msrun_1.out", 7291, -9, {}},
    {"mindspore/2.10.0/raise/msrun.out", 6371, 1, {}},
    {"mindspore/2.7.0/normal/msrun.out", 0, {}, {}},
    {"mindspore/2.7.0/sigkill_join_false/msrun.out", 0, {}, {}},
    {"pytorch/console-fail-9.txt", 3844, -9, 1},
    {"pytorch/console-fail-raise.txt", 3779, 1, 1},
    {"pytorch/console-restart.txt", 6598, -9, {}},
};
INSTANTIATE_TEST_SUITE_P(All, Launchers, testing::ValuesIn(launchers));

TEST(Launcher, NamesTheLogOfEachRank)
{
    const Parsed parsed = readLog("mindspore/2.10.0/raise/msrun.out", LogRole::launcher).parsed;
    std::vector<std::string> paths;
    for (const LogEvent &event : parsed.events)
        if (event.kind == EventKind::started)
            paths.push_back(std::to_string(event.rank.value_or(-1)) + " " + event.path);
    EXPECT_EQ(paths, (std::vector<std::string>{"0 log/worker_0.log", "1 log/worker_1.log", "2 log/worker_2.log",
                                               "3 log/worker_3.log"}));
}

TEST(Launcher, IgnoresLinesRepeatedFromWorkerAndSchedulerLogs)
{
    const Parsed parsed = readLog("mindspore/2.7.0/sigkill/msrun.out", LogRole::launcher).parsed;
    EXPECT_EQ(kindsOf(parsed), "rank_died warning error");
    EXPECT_EQ(parsed.events.back().text,
              "RuntimeError: Distributed job exited with exception. Please check logs in directory: log.");
    EXPECT_EQ(readLog("mindspore/2.7.0/normal/msrun.out", LogRole::launcher).pid, 30996);
}

struct Other {
    const char *log;
    std::size_t samples;
    Sample first, last;
    const char *events;
};

Sample at(std::optional<std::int64_t> epoch, std::optional<std::int64_t> step, std::optional<std::int64_t> global,
          double loss)
{
    Sample sample;
    sample.epoch = epoch;
    sample.step = step;
    sample.globalStep = global;
    sample.loss = loss;
    return sample;
}

class OtherLogs : public testing::TestWithParam<Other> {};

TEST_P(OtherLogs, ContainTheExpectedSamplesAndEvents)
{
    const Other &other = GetParam();
    const Read read = readLog(other.log);
    ASSERT_EQ(read.parsed.samples.size(), other.samples);
    EXPECT_EQ(kindsOf(read.parsed), other.events);
    EXPECT_EQ(read.rejected, 0u);
    if (other.samples == 0) return;
    for (const auto &[got, wanted] :
         {std::pair(read.parsed.samples.front(), other.first), std::pair(read.parsed.samples.back(), other.last)}) {
        EXPECT_EQ(got.epoch, wanted.epoch);
        EXPECT_EQ(got.step, wanted.step);
        EXPECT_EQ(got.globalStep, wanted.globalStep);
        EXPECT_DOUBLE_EQ(got.loss, wanted.loss);
    }
}

const std::nullopt_t no = std::nullopt;
const Other others[] = {
    {"pytorch/attempt_0_stdout.log", 4, at(1, 1, no, 2.2175), at(2, 1, no, 0.80102), "warning"},
    {"pytorch/attempt_0_stderr.log", 0, {}, {}, "error"},
    {"pytorch/attempt_1_stdout.log", 6, at(2, 1, no, 0.31414), at(3, 5, no, 2.02), "resumed"},
    {"huggingface/console.txt", 12, at(no, no, 2, 4.162), at(no, no, 24, 4.1335), ""},
    {"huggingface/resume-console.txt", 16, at(no, no, 18, 4.1342), at(no, no, 48, 4.1293), "resumed"},
    {"huggingface/stdout.log", 12, at(no, no, no, 4.162), at(no, no, no, 4.1335), ""},
    {"tensorflow/keras-progress-bar.txt", 8, at(1, 1, no, 1.9443), at(4, 3, no, 1.2649), ""},
    {"tensorflow/keras-verbose2-killed.txt", 2, at(1, 3, no, 1.3164), at(2, 3, no, 1.2969), ""},
    {"tensorflow/estimator-first-run.log", 6, at(no, no, 0, 11.954867), at(no, no, 100, 9.700612e-05), ""},
    {"tensorflow/estimator-second-run.log", 2, at(no, no, 120, 3.4131463e-05), at(no, no, 140, 1.2520954e-06),
     "resumed"},
    {"deepspeed/console-z1-excerpt.txt", 6, at(no, no, 0, 0.07751), at(no, no, 5, 0.03587), ""},
};
INSTANTIATE_TEST_SUITE_P(All, OtherLogs, testing::ValuesIn(others));

}  // namespace
}  // namespace rankdeck::real_logs_test
