// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fixed_search.h"

namespace rankdeck::ui::scenes {

namespace {

CheckpointSet foundSetAt(std::int64_t step, Verdict verdict)
{
    CheckpointSet set;
    set.id = "0:1-" + std::to_string(step);
    set.epoch = 1;
    set.step = set.globalStep = set.position = step;
    set.verdict = verdict;
    return set;
}

}  // namespace

HostScan host(const std::string &name, NodeState state, const std::string &reason, std::size_t ranks)
{
    HostScan look;
    look.host = look.node.name = name;
    look.node.state = state;
    look.node.reason = reason;
    look.node.since = wallNow();
    look.node.facts.roundTripSeconds = 0.041;
    look.node.facts.python = "3.9.9";
    look.scanned = state == NodeState::live;
    look.ranks = ranks;
    return look;
}

JobScan foundJob()
{
    JobScan look;
    look.id = 1;
    look.looked = true;
    Job &job = look.found.job;
    job.name = "pangu-2.6b";
    job.worldSize = 8;
    job.nodes = {{.name = "ascend-01", .host = "ascend-01", .ranks = {0, 1, 2, 3}},
                 {.name = "ascend-02", .host = "ascend-02", .ranks = {4, 5, 6, 7}}};
    job.logs.path = "/data/pangu/msrun_log/worker_{rank}.log";
    job.checkpoints.path = "/data/pangu/ckpt/rank_{rank}";
    job.gracefulExit.config = "/data/pangu/graceful.json";
    job.launch.recipe = "msrun";
    for (int rank = 0; rank < 8; ++rank)
        look.found.ranks.push_back(
            {rank, rank < 4 ? "ascend-01" : "ascend-02", 4000 + rank, "/data/pangu/msrun_log/x"});
    look.found.stopSwitch = {.variable = "MS_ENABLE_GRACEFUL_EXIT", .on = 8};
    look.found.started = wallNow();
    LogScan logs{.asked = 8, .readable = 8, .withLoss = 8};
    logs.newest = Sample{.loss = 2.4, .epoch = 1, .step = 40'703, .globalStep = 40'703};
    look.logs = logs;
    CheckpointScan checkpoints;
    checkpoints.judged = true;
    checkpoints.report.sets.push_back(foundSetAt(40'600, Verdict::valid));
    checkpoints.report.sets.push_back(foundSetAt(40'400, Verdict::valid));
    checkpoints.report.recommended = checkpoints.report.sets[0].id;
    look.checkpoints = checkpoints;
    return look;
}

JobScan halfJob()
{
    JobScan look;
    look.id = 2;
    look.looked = true;
    Job &job = look.found.job;
    job.name = "resnet50-b";
    job.worldSize = 8;
    job.nodes = {{.name = "ascend-04", .host = "ascend-04", .ranks = {0, 1, 2, 3}}};
    job.logs.path = "/data/resnet/worker_{rank}.log";
    job.checkpoints.path = "/data/resnet/output/ckpt_{rank}";
    job.launch.recipe = "msrun";
    for (int rank = 0; rank < 4; ++rank) look.found.ranks.push_back({rank, "ascend-04", 300 + rank, "/data/resnet/w"});
    look.found.stopSwitch = {.variable = "MS_ENABLE_GRACEFUL_EXIT", .off = 4};
    look.found.otherHosts = {"ascend-05"};
    look.found.notes = {
        {"ranks_elsewhere", "expected 8 ranks, found 4; ranks 4–7 run on hosts that were not named", true},
        {"checkpoint_not_named",
         "no option of train.py was found that takes a checkpoint to load: put {checkpoint} into "
         "launch.command where it does",
         true}};
    look.logs = LogScan{.asked = 4, .readable = 3, .problem = "ascend-04: Permission denied"};
    CheckpointScan checkpoints;
    checkpoints.report.sets.push_back(foundSetAt(1'875, Verdict::incomplete));
    look.checkpoints = checkpoints;
    return look;
}

DiscoveryPicture eightHosts()
{
    DiscoveryPicture picture;
    picture.hosts = {host("ascend-01", NodeState::live, {}, 4),
                     host("ascend-02", NodeState::live, {}, 4),
                     host("ascend-03", NodeState::needsYou, "The login waits for an answer of yours."),
                     host("ascend-04", NodeState::live, {}, 4),
                     host("ascend-06", NodeState::connecting),
                     host("ascend-07", NodeState::refused,
                          "ascend-07 shows another key: expected SHA256:9yq2, got SHA256:Ju3k. Not connected."),
                     host("old-gpu-2", NodeState::unsupported,
                          "No python3 of version 3.6 or newer was found on old-gpu-2; it is all that is needed there."),
                     host("lab-3", NodeState::lost, "No answer from 10.31.0.3:2222 in 10 s.")};
    picture.hosts[0].reachedAs = "lin@10.20.4.11 via bastion";
    picture.hosts[7].node.retryInSeconds = 6;
    picture.jobs = {foundJob(), halfJob()};
    return picture;
}

}  // namespace rankdeck::ui::scenes
