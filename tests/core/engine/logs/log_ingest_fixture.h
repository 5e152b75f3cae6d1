// SPDX-License-Identifier: GPL-3.0-or-later
// The followed logs of a job without any node: the test pushes bytes as a node does, and records samples, events and
// attempts. The fixture itself raises no failure; m_ready is false if the job's patterns are refused.
#pragma once

#include "core/engine/logs/log_ingest.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

inline std::string lines(int epoch, int from, int to)
{
    std::string text;
    for (int step = from; step <= to; ++step)
        text += "epoch: " + std::to_string(epoch) + " step: " + std::to_string(step) + ", loss is 1.5\n";
    return text;
}

inline std::string header(int pid)
{
    return "[WARNING] ME(" + std::to_string(pid) +
           ":1,MainProcess):2026-01-01-00:00:00.000.000 [mindspore/train/model.py:1] Something to know.\n";
}

class LogIngestTest : public testing::Test {
protected:
    LogIngestTest() { m_ready = m_logs->prepare().has_value(); }

    static Job twoNodes()
    {
        Job job;
        job.name = "ingest";
        job.worldSize = 3;
        job.nodes.push_back({.name = "a", .host = "local", .ranks = {0, 1}});
        job.nodes.push_back({.name = "b", .host = "local", .ranks = {2}});
        job.logs.path = "/l/worker_{rank}.log";
        job.stepsPerEpoch = 10;
        return job;
    }
    std::unique_ptr<LogIngest> ingest(const Job &job)
    {
        LogIngest::Sinks sinks;
        sinks.samples = [this](int rank, int attempt, const std::vector<Sample> &samples, WallTime) {
            for (const Sample &sample : samples) m_samples.push_back({rank, attempt, sample.step.value_or(-1)});
        };
        sinks.event = [this](Event event) { m_events.push_back(std::move(event)); };
        sinks.logEvent = [this](int rank, const LogEvent &, WallTime) { m_reportedRanks.push_back(rank); };
        sinks.attemptBegan = [this](int attempt) { m_begun.push_back(attempt); };
        sinks.rankOfPid = [this](const std::string &node, int pid) -> std::optional<int> {
            const auto at = m_pids.find({node, pid});
            return at == m_pids.end() ? std::nullopt : std::optional(at->second);
        };
        sinks.process = [this](int rank) -> std::optional<RankSighting> {
            const auto at = m_processes.find(rank);
            return at == m_processes.end() ? std::nullopt : std::optional(at->second);
        };
        return std::make_unique<LogIngest>(job, m_run, m_runMutex, std::move(sinks));
    }
    // Pushes the next bytes of a log, like a node.
    void push(int id, const std::string &bytes, std::uint64_t inode = 1)
    {
        TailChunk chunk{.id = id, .offset = m_offsets[id], .bytes = bytes, .next = {}};
        m_offsets[id] += bytes.size();
        chunk.next.inode = inode;
        chunk.next.offset = chunk.fileSize = m_offsets[id];
        m_logs->chunk(chunk);
    }
    // Sets the rank's process, as a new process list reports it; 0: the process is gone.
    void listed(int rank, int pid)
    {
        m_processes.erase(rank);
        if (pid != 0)
            m_processes[rank] = {.rank = rank,
                                 .node = "a",
                                 .process = {pid, 1000u + unsigned(pid), "boot"},
                                 .seen = std::chrono::system_clock::now()};
        m_logs->processesListed();
    }
    // Another file now has the log's name: the next bytes are its first.
    void begunAgain(int id, TailChange how)
    {
        m_logs->event({.id = id, .change = how});
        m_offsets[id] = 0;
    }
    [[nodiscard]] std::size_t samplesOf(int rank, int attempt) const
    {
        const Series *series = m_run.series(rank, attempt);
        return series ? series->size() : 0;
    }

    struct Told {
        int rank, attempt;
        std::int64_t step;
        bool operator==(const Told &) const = default;
    };
    Job m_job = twoNodes();
    rankdeck::Run m_run{10};
    std::shared_mutex m_runMutex;
    std::vector<Told> m_samples;
    std::vector<Event> m_events;
    std::vector<int> m_reportedRanks, m_begun;
    std::map<std::pair<std::string, int>, int> m_pids;
    std::map<int, RankSighting> m_processes;  // by rank
    std::map<int, std::uint64_t> m_offsets;
    std::unique_ptr<LogIngest> m_logs = ingest(m_job);
    bool m_ready = false;
};

}  // namespace rankdeck
