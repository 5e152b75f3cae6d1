// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that are events: warnings, errors with their continuation lines, repairs, replicas.
#include "core/parse/lines/mindspore_lines.h"
#include "tests/core/parse/parsed_lines.h"

#include <gtest/gtest.h>

namespace rankdeck::event_lines_test {
namespace {

struct EventCase {
    const char *line;
    EventKind kind;
};
class OneEvent : public testing::TestWithParam<EventCase> {};

TEST_P(OneEvent, HasTheExpectedKind)
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
    {"[WARNING] DISTRIBUTED(5,7fb7,python):2026-11-28-06:50:57.100.001 [mindspore/ccsrc/distributed/cluster/"
     "cluster_context.cc:249] BuildCluster] Cluster is successfully initialized.",
     EventKind::waits},
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

TEST(Events, RankThatWaitsForTheSchedulerNamesItsAddress)
{
    const std::string head = "[WARNING] DISTRIBUTED(5,7fb7,python):2026-11-28-06:50:43.937.371 [m.cc:173] ";
    const std::string failed =
        head + "ReconnectWithTimeoutWindow] Failed to register and try to reconnect to the meta server.";
    Lines lines;
    (lines << failed << head + "Connect] Connection 11 source: 10.0.0.7:44722, destination: 10.0.0.1:8118" << failed
           << head + "Connect] Connection 12 source: 10.0.0.7:44724, destination: 10.0.0.2:8118" << failed
           << head + "BuildCluster] Cluster is successfully initialized.")
        .end();
    ASSERT_EQ(lines.parsed.events.size(), 3u) << "not before it is known what was to be reached";
    EXPECT_EQ(lines.parsed.events[0].path, "10.0.0.1:8118");
    EXPECT_TRUE(lines.parsed.events[0].written);
    EXPECT_EQ(lines.parsed.events[1].path, "10.0.0.2:8118");
    EXPECT_EQ(lines.parsed.events[2].path, "");
}

TEST(Events, ReadsTheTimeOfALogHeader)
{
    const auto apart = [](const char *a, const char *b) { return *secondsOfHeader(b) - *secondsOfHeader(a); };
    EXPECT_NEAR(apart("2026-11-21-09:05:38.250.00", "2026-11-21-09:05:39.500.123"), 1.25, 1e-6);
    EXPECT_NEAR(apart("2026-12-31-23:59:59.000.000", "2027-01-01-00:00:01.000.000"), 2, 1e-6);
    for (const char *none : {"", "2026-11-21", "2026-13-21-09:05:38.250.00", "2026-02-30-09:05:38.250", "x",
                             "99999999-11-21-09:05:38.1", "2026-11-21-09:05:38.12345"})
        EXPECT_FALSE(secondsOfHeader(none)) << none;
}

// A fault and its repair are two events: a fault that is repaired in place costs no step and is not a failure.
TEST(Events, DistinguishesARepairInPlaceFromItsFault)
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

TEST(Events, ReportsARepeatedWarningOnce)
{
    Lines lines;
    for (int i = 0; i < 5; ++i)
        lines << "[WARNING] ME(5:7,M):2026-11-21-09:05:38.250.00 [m.py:2] Parse json file failed: x, please check json "
                 "file: y";
    EXPECT_EQ(lines.parsed.events.size(), 1u);
}

TEST(Events, ChainOfExceptionsIsOneEventNamedByTheLastException)
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

// Some log tools strip the indentation of lines.
TEST(Events, TracebackWithoutIndentationEndsWithItsException)
{
    for (const std::string last :
         {"ValueError: sample 4711 has no label", "torch.cuda.OutOfMemoryError: no room", "KeyboardInterrupt"}) {
        Lines lines;
        lines << "Traceback (most recent call last):"
              << "File \"train.py\", line 88, in <module>"
              << "main(args)"
              << "File \"train.py\", line 12, in main"
              << "raise ValueError(f\"no label: {x}\")" << last.c_str();
        lines.end();
        const std::string &text = lines.parsed.events.at(0).text;
        EXPECT_EQ(text.substr(0, text.find('\n')), last);
    }
}

TEST(Events, QuotedReasonIsPartOfTheFirstLine)
{
    const auto first = [](std::initializer_list<const char *> more) {
        Lines lines;
        lines << "Traceback (most recent call last):"
              << "  File \"a.py\", line 1, in f";
        for (const char *line : more) lines << line;
        lines.end();
        const std::string &text = lines.parsed.events.at(0).text;
        return text.substr(0, text.find('\n'));
    };
    EXPECT_EQ(first({"RuntimeError: Caught OSError in DataLoader worker process 0.",
                     "Original Traceback (most recent call last):", "  File \"worker.py\", line 2, in g",
                     "    raise OSError", "OSError: [Errno 5] Input/output error", ""}),
              "RuntimeError: Caught OSError in DataLoader worker process 0: OSError: [Errno 5] Input/output error");
    EXPECT_EQ(
        first({"RuntimeError: Exception thrown from dataset pipeline. Refer to 'Dataset Pipeline Error Message'. ", "",
               "------------------", "- Dataset Pipeline Error Message: ", "------------------",
               "[ERROR] map operation: [Decode] failed.", "more", "", "------------------", "- C++ Call Stack:"}),
        "RuntimeError: Exception thrown from dataset pipeline. Refer to 'Dataset Pipeline Error Message': map "
        "operation: [Decode] failed.");
    EXPECT_EQ(first({"RuntimeError: Sync stream failed", "", "----", "- Ascend Error Message:", "----",
                     "EI0002: The wait execution of the Notify register times out.", "----",
                     "- Framework Error Message: (For framework developers)", "----", "rtStreamSynchronize failed"}),
              "RuntimeError: Sync stream failed: EI0002: The wait execution of the Notify register times out.");
    EXPECT_EQ(first({"KeyError: 'x'", "", "The above exception was the direct cause of the following exception:", "",
                     "Traceback (most recent call last):", "  File \"a.py\", line 3, in g", "ValueError: bad"}),
              "ValueError: bad");
}

TEST(Events, LogLineOfAnotherThreadDoesNotSplitATraceback)
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

TEST(Events, KeepsContinuationLinesOfAnError)
{
    Lines lines;
    lines << "[ERROR] ME(5:7,M):2026-11-21-09:05:38.250.00 [m.py:2] first"
          << "    second"
          << "----"
          << "plain output of the script";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].text, "first\n    second\n----");
}

TEST(Events, BoundsAHugeTraceback)
{
    Lines lines;
    lines << "Traceback (most recent call last):";
    for (int i = 0; i < 100000; ++i) lines << "  File \"" + std::string(100, 'a') + "\", line 1";
    lines.end();
    ASSERT_GE(lines.parsed.events.size(), 1u);
    EXPECT_LE(lines.parsed.events[0].text.size(), 16000u);
}

TEST(Events, ReportsTheFirstLineOfALog)
{
    Lines lines;
    lines.offset = 0;
    lines << "rank 0 of 1";
    ASSERT_EQ(lines.parsed.events.size(), 1u);
    EXPECT_EQ(lines.parsed.events[0].kind, EventKind::started);
    EXPECT_EQ(lines.parsed.events[0].text, "rank 0 of 1");
}

TEST(Events, MakesInvalidBytesPrintable)
{
    Lines lines;
    lines << "[ERROR] ME(5:7,M):2026-11-21-09:05:38.250.00 [m.py:2] bad \xff byte \x1b[31mred";
    lines.end();
    EXPECT_EQ(lines.parsed.events.at(0).text, "bad \xef\xbf\xbd byte red");
}

TEST(Events, ErrorDirectlyAfterAnotherIsASeparateEvent)
{
    Lines lines;
    (lines << "[ERROR] ME(5:7,MainProcess):2026-11-21-09:05:38.250.00 [mindspore/a.py:2] something"
           << "ERROR: the data set is gone")
        .end();
    ASSERT_EQ(lines.parsed.events.size(), 2u);
    EXPECT_EQ(lines.parsed.events[0].text, "something");
    EXPECT_EQ(lines.parsed.events[1].text, "ERROR: the data set is gone");
}

TEST(Events, ReadsReplicaGroupsFromLogLines)
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

}  // namespace
}  // namespace rankdeck::event_lines_test
