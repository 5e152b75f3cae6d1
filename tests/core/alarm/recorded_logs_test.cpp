// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded logs of real healthy runs, line by line on their own clock. No alarm is active at any second, and no
// line counts as a failure.
#include "core/alarm/alarm.h"
#include "core/follow/line_follower.h"
#include "core/parse/log_parser.h"
#include "core/run/run.h"
#include "tests/core/state/states.h"
#include "tests/testbed/paths.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace rankdeck::recorded_logs_test {
namespace {

struct Recorded {
    const char *directory;
    std::vector<std::string> logs;  // logs of rank 0, 1 …
};

const std::vector<std::string> four = {"worker_0.log", "worker_1.log", "worker_2.log", "worker_3.log"};
const Recorded healthy[] = {
    {"mindspore/2.7.0/normal", four},
    {"mindspore/2.7.0/resume", four},
    {"mindspore/2.7.0/resume_first_attempt", four},
    {"mindspore/2.7.0/graceful", four},
    {"mindspore/2.10.0/graceful", four},
    {"mindspore/2.7.0/two_nodes",
     {"log_node0/worker_0.log", "log_node0/worker_1.log", "log_node1/worker_2.log", "log_node1/worker_3.log"}},
    {"mindspore/2.0.0/alone", {"append_info.log"}},
    {"mindspore/2.7.0/alone", {"append_info.log"}},
    {"mindspore/2.10.0/alone", {"append_info.log"}},
    {"huggingface", {"console.txt"}},
    {"huggingface", {"resume-console.txt"}},
    {"huggingface", {"stdout.log"}},
    {"tensorflow", {"estimator-first-run.log"}},
    {"tensorflow", {"estimator-second-run.log"}},
    {"tensorflow", {"keras-progress-bar.txt"}},
    {"deepspeed", {"console-z1-excerpt.txt"}},
};

class RecordedLog {
public:
    explicit RecordedLog(const std::string &path) : m_parser(std::move(LogParser::make({}, LogRole::worker)).value())
    {
        std::ifstream file(path, std::ios::binary);
        EXPECT_TRUE(file.good()) << path;
        std::stringstream bytes;
        bytes << file.rdbuf();
        const auto sink = [&](std::string_view line, std::uint64_t offset) {
            m_lines.emplace_back(std::string(line), offset);
        };
        LineFollower follower;
        TailChunk chunk;
        chunk.bytes = bytes.str();
        follower.chunk(chunk, sink);
        follower.finish(sink);
    }
    [[nodiscard]] std::size_t size() const { return m_lines.size(); }
    Parsed line(std::size_t i)
    {
        Parsed parsed;
        m_parser->line(m_lines[i].first, m_lines[i].second, parsed);
        return parsed;
    }

private:
    std::unique_ptr<LogParser> m_parser;
    std::vector<std::pair<std::string, std::uint64_t>> m_lines;
};

// A run whose ranks write one line every quarter of a second.
class Replay {
public:
    explicit Replay(const Recorded &recorded)
    {
        for (const std::string &log : recorded.logs)
            m_logs.emplace_back(testData() + "/logs/" + recorded.directory + "/" + log);
        m_view = states::healthy(static_cast<int>(m_logs.size()));
        m_run.beginAttempt(m_now);
    }
    std::vector<std::string> alarms()
    {
        std::size_t lines = 0;
        for (const RecordedLog &log : m_logs) lines = std::max(lines, log.size());
        for (std::size_t at = 0; at < lines; ++at) {
            m_now = secondsAfter(m_now, 0.25);
            for (std::size_t rank = 0; rank < m_logs.size(); ++rank)
                if (at < m_logs[rank].size()) take(static_cast<int>(rank), m_logs[rank].line(at));
            look();
        }
        EXPECT_GT(m_run.sampleCount(), 0u) << "its losses were read";
        return m_said;
    }

private:
    void take(int rank, const Parsed &parsed)
    {
        m_run.add(rank, 0, parsed.samples, m_now, false);
        for (const LogEvent &event : parsed.events) {
            Event told;
            told.kind = event.kind;
            told.rank = rank;
            told.text = event.text;
            told.time = m_now;
            told.position = m_run.progress(rank).position;
            told.stepMs = event.stepMs;
            told.stepsPerEpoch = event.stepsPerEpoch;
            if (event.kind == EventKind::error) m_said.push_back("error: " + event.text);
            if (event.kind == EventKind::gracefulExit)
                m_view.ranks[static_cast<std::size_t>(rank)].gracefulExitSeen = true;
            m_view.recentEvents.push_back(told);
            m_run.add(std::move(told));
        }
    }
    void look()
    {
        for (NodeStatus &node : m_view.nodes) node.lastContact = m_now;
        m_view.stepsPerEpoch = m_run.stepsPerEpoch();
        for (RankState &rank : m_view.ranks) rank.progress = m_run.progress(rank.rank);
        Picture picture{.view = m_view, .now = m_now, .settled = true};
        picture.fates = fatesOf(m_view);
        for (const Alarm &alarm : findAlarms(picture))
            if (m_said.size() < 3) m_said.push_back(alarm.text());
    }

    std::vector<RecordedLog> m_logs;
    rankdeck::Run m_run;
    JobState m_view;
    WallTime m_now = WallTime(std::chrono::hours(480'000));
    std::vector<std::string> m_said;
};

TEST(RecordedLogs, HealthyRunsRaiseNoAlarm)
{
    for (const Recorded &recorded : healthy)
        EXPECT_EQ(Replay(recorded).alarms(), std::vector<std::string>())
            << recorded.directory << "/" << recorded.logs[0];
}

TEST(RecordedLogs, FailedRunsRaiseAlarms)
{
    EXPECT_FALSE(Replay({"mindspore/2.7.0/nan", four}).alarms().empty());
    EXPECT_FALSE(Replay({"mindspore/2.7.0/raise", four}).alarms().empty());
}

}  // namespace
}  // namespace rankdeck::recorded_logs_test
