// SPDX-License-Identifier: GPL-3.0-or-later
// MindSpore: msrun and the dynamic cluster (MS_…), or a rank table and hand-written launchers (RANK_ID, RANK_SIZE).
#pragma once

#include "core/framework/framework_info.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo mindspore{
    .id = Framework::mindspore,
    .name = "mindspore",
    .formats = {"mindspore-ckpt", "safetensors"},
    .variables = {.role = "MS_ROLE",
                  .worker = "MS_WORKER",
                  .scheduler = "MS_SCHED",
                  // msrun without --node_rank leaves RANK_ID at 0
                  .byLauncher = {.rank = "RANK_ID", .beside = "MS_NODE_ID"},
                  .byScript = {.rank = "RANK_ID", .beside = "RANK_SIZE"},
                  .ofRank = {"MS_ROLE", "RANK_ID", "RANK_SIZE", "DEVICE_ID", "MS_NODE_ID", "MS_NODE_RANK"},
                  .ofJob = {"MS_WORKER_NUM", "MS_SCHED_HOST", "MS_SCHED_PORT", "MS_TOPO_TIMEOUT"},
                  .worldSize = {"RANK_SIZE", "MS_WORKER_NUM"},
                  .masterHost = {"MS_SCHED_HOST"},
                  .masterPort = {"MS_SCHED_PORT"},
                  .nodeRank = {"MS_NODE_RANK"},
                  .telling = {"MS_ROLE", "RANK_ID", "RANK_SIZE", "MS_NODE_ID", "DEVICE_ID", "MS_ENABLE_GRACEFUL_EXIT"},
                  .watched = {"MS_WORKER_NUM", "MS_SCHED_HOST", "MS_SCHED_PORT", "MS_NODE_RANK", "MS_ENABLE_TFT"}},
    .launcher = {.program = "msrun",
                 .rankLog = "worker_{rank}.log",
                 .modules = {"mindspore.parallel.cluster.run"},
                 .ownOptions = {"worker_num", "local_worker_num", "node_rank", "master_addr", "master_port", "log_dir",
                                "join", "cluster_time_out"},
                 .switches = {},
                 .marksRanks = "MS_NODE_RANK"},  // --join=False: it ends after the start
    .programs = {},
    .scripts = {"resnet", "pangu"},
    .tracker = {},
    .stopSwitch = "MS_ENABLE_GRACEFUL_EXIT",
    .ownsStopSwitch = false,
    .torchStyle = false,
    .settings = {"MS_*", "GLOG_*", "HCCL_*", "ASCEND_*", "MINDIO_*", "MINDSPORE_*", "RESTORE_*"}};

}  // namespace rankdeck::frameworks
