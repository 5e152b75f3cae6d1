// SPDX-License-Identifier: GPL-3.0-or-later
// An engine on this machine through the real probe, with the logs of two ranks and optionally their checkpoints.
#pragma once

#include "core/engine.h"

#include "tests/testbed/paths.h"
#include "tests/testbed/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

class EngineTest : public testing::Test {
protected:
    [[nodiscard]] std::string log(int rank) const { return m_directory + "/worker_" + std::to_string(rank) + ".log"; }

    void write(int rank, int epoch, int from, int to, bool anew = false)
    {
        std::ofstream file(log(rank), anew ? std::ios::trunc : std::ios::app);
        for (int step = from; step <= to; ++step)
            file << "epoch: " << epoch << " step: " << step << ", loss is " << 2.0 + rank + 0.01 * step << "\n";
    }

    [[nodiscard]] Job job() const
    {
        Job job;
        job.name = "engine-test";
        job.worldSize = 2;
        job.nodes.push_back({.name = "here", .host = "local", .ranks = {0, 1}, .transport = TransportKind::local});
        job.logs.path = m_directory + "/worker_{rank}.log";
        job.gracefulExit.config = m_directory + "/graceful.json";
        job.stepsPerEpoch = 10;
        return job;
    }

    std::unique_ptr<Engine> engine(bool connect = true)
    {
        EngineOptions options;
        options.stateDirectory = m_directory + "/state";
        options.connectToNodes = connect;
        Result<std::unique_ptr<Engine>> made = Engine::make(job(), options);
        EXPECT_TRUE(made.has_value()) << made.error().message;
        return std::move(*made);
    }

    static bool waitFor(Engine &engine, const std::function<bool(const Snapshot &)> &test)
    {
        for (int i = 0; i < 300; ++i) {
            if (test(*engine.snapshot())) return true;
            engine.waitChange(engine.snapshot()->generation, 0.1);
        }
        return false;
    }

    TempDir m_temp;
    std::string m_directory = m_temp.path();
};

class EngineCheckpoints : public EngineTest {
protected:
    EngineCheckpoints()
    {
        for (const int rank : {0, 1}) {
            write(rank, 1, 1, 2);
            std::filesystem::create_directories(directory(rank));
        }
        Job watched = job();
        watched.checkpoints.path = m_directory + "/ckpt/rank_{rank}";
        EngineOptions options;
        options.stateDirectory = m_directory + "/state";
        Result<std::unique_ptr<Engine>> made = Engine::make(watched, options);
        if (made) m_engine = std::move(*made);
    }
    [[nodiscard]] std::string directory(int rank) const { return m_directory + "/ckpt/rank_" + std::to_string(rank); }
    void save(const std::string &name) const
    {
        for (const int rank : {0, 1})
            std::filesystem::copy_file(testData() + "/mindspore/dp4/2.7.0/resume/rank_" + std::to_string(rank) + "/" +
                                           name,
                                       directory(rank) + "/" + name);
    }
    bool becomes(const std::string &id, Verdict verdict)
    {
        return waitFor(*m_engine, [&](const Snapshot &s) {
            const CheckpointSet *set = s.view.checkpoints.find(id);
            return set && set->verdict == verdict;
        });
    }
    [[nodiscard]] std::vector<std::string> judged() const
    {
        std::vector<std::string> texts;
        m_engine->withRun([&](const auto &run) {
            for (const Event &event : run.events())
                if (event.kind == EventKind::setJudged) texts.push_back(event.text);
        });
        return texts;
    }
    std::unique_ptr<Engine> m_engine;
};

}  // namespace rankdeck
