// SPDX-License-Identifier: GPL-3.0-or-later
// Open MPI, with which scripts of several frameworks are started: mpirun and the variables that it sets for its ranks.
// Names of 4.1; 5.0 has the same. It has no checkpoints or logs of its own, so a job file cannot name it as its
// framework.
#pragma once

#include "core/framework/framework_info.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo openmpi{
    .id = std::nullopt,
    .name = "openmpi",
    .formats = {},
    .variables = {.role = {},
                  .worker = {},
                  .scheduler = {},
                  .byLauncher = {.rank = "OMPI_COMM_WORLD_RANK", .beside = "OMPI_COMM_WORLD_LOCAL_RANK"},
                  .byScript = {},
                  .ofRank = {"OMPI_*", "PMIX_*", "PRTE_*", "ORTE_*"},
                  .ofJob = {},
                  .worldSize = {"OMPI_COMM_WORLD_SIZE"},
                  .masterHost = {},
                  .masterPort = {},
                  .nodeRank = {},
                  .telling = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
                  .watched = {"OMPI_COMM_WORLD_SIZE"}},
    .launcher = {.program = "mpirun",
                 .rankLog = {},
                 .modules = {},
                 .ownOptions = {"np", "n", "c", "H", "host", "hostfile", "machinefile", "default-hostfile", "map-by",
                                "rank-by", "allow-run-as-root"},
                 .switches = {"allow-run-as-root", "oversubscribe", "nooversubscribe", "report-bindings", "tag-output",
                              "timestamp-output", "merge-stderr-to-stdout", "display-map", "display-allocation",
                              "use-hwthread-cpus", "enable-recovery", "disable-recovery", "q", "quiet", "v", "verbose"},
                 .marksRanks = {},
                 .twoValues = {"mca", "gmca", "omca", "prtemca"},
                 .variableOption = "x"},
    .programs = {},
    .scripts = {},
    .tracker = {},
    .stopSwitch = {},
    .ownsStopSwitch = false,
    .torchStyle = false};

}  // namespace rankdeck::frameworks
