// SPDX-License-Identifier: GPL-3.0-or-later
// A job that may be stopped, with all facts of the exit's preflight. Tests change one fact at a time.
#pragma once

#include "core/recover/stop/checks/exit_preflight.h"
#include "core/recover/stop_method.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck::test {

inline WallTime at(double seconds) { return wallFromNs(static_cast<std::int64_t>((1e9 + seconds) * 1e9)); }

// Two ranks on two nodes that train without problems and may be stopped.
struct HealthyExit {
    HealthyExit()
    {
        job.name = "j";
        job.worldSize = 2;
        job.gracefulExit.config = "/job/g.json";
        for (int rank = 0; rank < 2; ++rank) {
            const std::string node = "n" + std::to_string(rank);
            job.nodes.push_back({.name = node, .host = node, .ranks = {rank}});
            NodeStatus status{.name = node, .state = NodeState::live};
            status.facts.uid = 1000;
            status.facts.bootId = "boot-" + node;
            view.nodes.push_back(status);
            ProcessInfo process;
            process.id = {.pid = 100 + rank, .startTicks = 7};
            process.uid = 1000;
            process.state = 'S';
            process.env["MS_ENABLE_GRACEFUL_EXIT"] = "1";
            process.envReadable = true;
            process.argv = {"python", "train.py"};
            process.cwd = "/job";
            RankState state{.rank = rank, .node = node, .alive = true, .process = process};
            state.progress.position = 50;
            state.progress.heard = at(0);
            view.ranks.push_back(state);
            facts.processes.ranks.push_back({.rank = rank, .node = node, .alive = true, .process = process});
            ConfigCopy copy{.node = node, .path = "/job/g.json", .ranks = {rank}};
            copy.content =
                FileContent{.bytes = "{}", .sha256 = "x", .realPath = "/job/g.json", .stat = {}, .writable = true};
            copy.content->stat.inode = static_cast<std::uint64_t>(rank);
            copy.flag = FlagReading{};
            facts.copies.push_back(copy);
            facts.room[node] = {{.directory = "/job/ckpt", .exists = true, .writable = true, .freeBytes = 1u << 30}};
        }
        view.job = job;
        view.stepSeconds = 2;
        facts.way = StopMethod::config;
        facts.now = at(0.5);
    }
    [[nodiscard]] std::vector<Finding> findings()
    {
        view.job = job;
        facts.way = exitWayOf(job);
        return exitFindings(view, facts, {});
    }
    // part: a part of its text, needed if several findings have the code.
    [[nodiscard]] Finding of(FindingCode code, std::string_view part = {})
    {
        for (const Finding &finding : findings())
            if (finding.code == code && finding.text.find(part) != std::string::npos) return finding;
        return {.result = Finding::Result::ok, .code = {}, .text = ""};
    }
    Job job;
    JobState view;
    ExitFacts facts;
};

}  // namespace rankdeck::test
