// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of one new log line, from the node's bytes to the next job state: the same work with 8 ranks as with 2,048.
#include "core/engine.h"
#include "core/engine/engine_context.h"
#include "core/engine/logs/log_ingest.h"
#include "core/engine/rank_monitor.h"
#include "core/engine/shared_parts.h"
#include "tests/core/engine/allocations.h"
#include "tests/testbed/temp_dir.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace rankdeck::one_line_test {
namespace {

Job jobOf(int ranks)
{
    Job job;
    job.name = "one line";
    job.framework = Framework::mindspore;
    job.worldSize = ranks;
    for (int first = 0; first < ranks; first += 8) {
        NodeSpec node{.name = "node-of-a-long-name-" + std::to_string(first), .host = "local"};
        for (int rank = first; rank < first + 8; ++rank) node.ranks.push_back(rank);
        job.nodes.push_back(std::move(node));
    }
    job.logs.path = "/job/log/worker_{rank}.log";
    job.stepsPerEpoch = 5000;
    job.index();
    return job;
}

TailChunk lineOf(int log, int step, std::uint64_t &offset)
{
    TailChunk chunk{.id = log, .offset = offset, .bytes = "epoch: 1 step: ", .next = {}};
    chunk.bytes += std::to_string(1000 + step) + ", loss is 1.5\n";
    offset += chunk.bytes.size();
    chunk.next.inode = 1;
    chunk.next.offset = chunk.fileSize = offset;
    return chunk;
}

// A job of nodes with eight ranks each, with the engine's state for it.
class Watched {
public:
    explicit Watched(int ranks) : m_job(jobOf(ranks))
    {
        EXPECT_TRUE(m_logs.prepare().has_value());
        for (const NodeSpec &node : m_job.nodes)
            for (const TailSpec &tail : m_logs.tails({node.name}, {})) m_last = std::max(m_last, tail.id);
        for (int step = 1; step <= 20; ++step)
            for (int log = 0; log <= m_last; ++log) line(log, step);
        static_cast<void>(picture());
    }
    void line(int log, int step) { m_logs.chunk(lineOf(log, step, m_offsets[log])); }
    JobState picture()
    {
        JobState view;
        view.job = m_job;
        m_parts.refresh();
        view.ranks = m_parts.ranks();
        view.recentEvents = m_parts.recentEvents();
        return view;
    }
    // Allocations for the next line of the last log and for the job state after it.
    std::size_t allocationsOfALine(int step)
    {
        const std::size_t before = allocations();
        line(m_last, step);
        const JobState view = picture();
        return allocations() - before;
    }

private:
    Job m_job;
    rankdeck::Run m_run{5000};
    std::shared_mutex m_runMutex;
    RankMonitor m_ranks{m_job};
    LogIngest m_logs{m_job,
                     m_run,
                     m_runMutex,
                     {.samples =
                          [this](int rank, int, const std::vector<Sample> &samples, WallTime heard) {
                              m_ranks.samplesCame(rank, samples.back().offset, heard);
                              m_parts.rankChanged(rank);
                          },
                      .event = [](const Event &) {},
                      .logEvent = [](int, const LogEvent &, WallTime) {},
                      .attemptBegan = [](int) {},
                      .rankOfPid = [](const std::string &, int) { return std::optional<int>(); },
                      .process = [](int) { return std::optional<RankSighting>(); }}};
    SharedParts m_parts{m_job, m_run, m_logs, m_ranks};
    std::map<int, std::uint64_t> m_offsets;
    int m_last = 0;
};

TEST(OneLine, CostsAsMuchWith2048RanksAsWith8)
{
    Watched few(8), many(2048);
    // The interval between lines is learned from a few more lines, however many ranks there are.
    for (int step = 21; step < 40; ++step)
        EXPECT_NEAR(static_cast<double>(many.allocationsOfALine(step)),
                    static_cast<double>(few.allocationsOfALine(step)), 4)
            << step;
}

TEST(OneLine, ChangesOnlyTheStateOfItsRank)
{
    Watched many(2048);
    const JobState before = many.picture();
    many.line(1711, 21);
    const JobState after = many.picture();
    ASSERT_EQ(after.ranks.size(), 2048u);
    std::size_t changed = 0;
    for (std::size_t rank = 0; rank < after.ranks.size(); ++rank)
        changed += after.ranks.shares(rank, before.ranks) ? 0 : 1;
    EXPECT_EQ(changed, 1u);
    for (std::size_t node = 0; node < after.job.nodes.size(); ++node)
        EXPECT_TRUE(after.job.nodes.shares(node, before.job.nodes)) << "the job is not copied";
}

// The engine itself. It gets answers of nodes, although it is not connected to any node.
class Followed {
public:
    explicit Followed(int ranks) : m_offsets(static_cast<std::size_t>(ranks))
    {
        auto made = Engine::make(jobOf(ranks),
                                 {.stateDirectory = m_state.path(), .keepHistory = false, .connectToNodes = false});
        if (!made) throw std::runtime_error(made.error().message);
        m_engine = std::move(*made);
        m_listener = dynamic_cast<NodeListener *>(&actionContextOf(*m_engine));
        m_engine->subscribe([this] {  // on the engine's thread
            const std::lock_guard lock(m_mutex);
            const std::size_t now = allocations();
            m_looks.push_back({m_engine->snapshot()->samples, now - std::exchange(m_before, now)});
            m_looked.notify_all();
        });
        m_engine->start();
        const auto snapshot = m_engine->snapshot();
        for (const NodeSpec &node : snapshot->view.job.nodes) {
            NodeStatus status;
            status.name = node.name;
            status.state = NodeState::live;
            m_listener->nodeStatus(node.name, status);
        }
        for (int rank = 0; rank < ranks; ++rank) line(rank, 20);
        waitForSamples(static_cast<std::uint64_t>(ranks));
    }
    ~Followed() { m_engine->stop(); }

    // Allocations for the cheapest job state after one new line. Only some job states include the work that is done
    // once a second.
    std::size_t leastAllocationsOfALine()
    {
        for (int step = 21; step <= 40; ++step) {
            line(3, step);
            waitForSamples(m_offsets.size() + static_cast<std::uint64_t>(step) - 20);
        }
        const std::lock_guard lock(m_mutex);
        std::size_t least = std::numeric_limits<std::size_t>::max();
        for (std::size_t i = 1; i < m_looks.size(); ++i)
            if (m_looks[i].samples == m_looks[i - 1].samples + 1) least = std::min(least, m_looks[i].allocations);
        return least;
    }

private:
    struct Look {
        std::uint64_t samples;
        std::size_t allocations;  // made by the engine's thread since the previous update
    };
    void line(int rank, int step)
    {
        const auto node = static_cast<std::size_t>(rank / 8);
        m_listener->tailChunk(m_engine->snapshot()->view.job.nodes[node].name,
                              lineOf(rank, step, m_offsets[static_cast<std::size_t>(rank)]));
    }
    void waitForSamples(std::uint64_t count)
    {
        std::unique_lock lock(m_mutex);
        m_looked.wait(lock, [&] { return !m_looks.empty() && m_looks.back().samples == count; });
    }

    TempDir m_state;
    std::vector<std::uint64_t> m_offsets;
    std::mutex m_mutex;
    std::condition_variable m_looked;
    std::vector<Look> m_looks;
    std::size_t m_before = 0;
    std::unique_ptr<Engine> m_engine;
    NodeListener *m_listener = nullptr;
};

TEST(OneLine, CostsAsMuchInTheWholeEngineWith2048RanksAsWith8)
{
    const std::size_t few = Followed(8).leastAllocationsOfALine();
    const std::size_t many = Followed(2048).leastAllocationsOfALine();
    EXPECT_LT(few, 1000u);
    EXPECT_NEAR(static_cast<double>(many), static_cast<double>(few), 16);
}

}  // namespace
}  // namespace rankdeck::one_line_test
