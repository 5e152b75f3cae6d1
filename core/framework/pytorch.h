// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch and libraries on it without a checkpoint format of their own (Lightning, Hugging Face): torchrun and env://.
#pragma once

#include "core/framework/framework_info.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo pytorch{
    .id = Framework::pytorch,
    .name = "pytorch",
    .formats = {"torch-zip", "torch-legacy", "dcp", "hf-sharded"},
    .variables = {.role = {},
                  .worker = {},
                  .scheduler = {},
                  .byLauncher = {.rank = "RANK", .beside = "LOCAL_RANK"},
                  .byScript = {},
                  .ofRank = {"RANK", "LOCAL_RANK", "ROLE_RANK", "GROUP_RANK", "TORCHELASTIC_*"},
                  .ofJob = {"WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_WORLD_SIZE", "ROLE_WORLD_SIZE", "ROLE_NAME",
                            "MASTER_ADDR", "MASTER_PORT"},
                  .worldSize = {"WORLD_SIZE"},
                  .masterHost = {"MASTER_ADDR"},
                  .masterPort = {"MASTER_PORT"},
                  .nodeRank = {"GROUP_RANK"},
                  .telling = {"RANK", "LOCAL_RANK"},
                  .watched = {"WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID"}},
    .launcher = {.program = "torchrun",
                 .rankLog = {},
                 .modules = {"torch.distributed.run", "torch.distributed.launch"},
                 .ownOptions = {"nnodes", "nproc_per_node", "nproc-per-node", "node_rank", "node-rank", "master_addr",
                                "master-addr", "master_port", "master-port", "rdzv_endpoint", "rdzv-endpoint",
                                "rdzv_id", "rdzv-id", "rdzv_backend", "rdzv-backend"},
                 .switches = {"standalone", "no_python", "no-python", "module", "m", "run_path", "run-path"},
                 .marksRanks = {}},
    .programs = {},
    .scripts = {"pytorch"},
    .tracker = {},
    .stopSwitch = {},
    .ownsStopSwitch = false,
    .torchStyle = true,
    .settings = {"TORCH_*", "PYTORCH_*", "NCCL_*", "GLOO_*", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_*",
                 "CUDA_LAUNCH_BLOCKING", "OMP_NUM_THREADS"}};

}  // namespace rankdeck::frameworks
