// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a demo cluster: keys, sshd configurations, the console's ssh configuration and known hosts, the job
// file, and the keeper's plan. Each error names the directory, key or program that could not be made or found.
#pragma once

#include "app/demo/cluster.h"
#include "app/demo/keeper_plan.h"
#include "core/job/job.h"

#include <string>
#include <vector>

namespace rankdeck::demo {

struct ClusterLayout {
    DemoOptions options;
    std::string id;
    std::string home;
    std::string trainer;
    std::vector<std::string> nodes;  // "node0" …
    std::vector<int> nodeOfRank;     // contiguous; if uneven, the first nodes get one rank more
};

ClusterLayout layOut(DemoOptions options, std::string id, std::string home, std::string trainer);

// Writes the directories, graceful.json, new keys and an sshd configuration per node.
Status writeServerSide(const ClusterLayout &layout, const std::string &sshd);
// Writes ssh_config, known_hosts and the job file, once the ports are known. Returns the job file's path.
Result<std::string> writeClientSide(const ClusterLayout &layout, const KeeperReady &ready);

KeeperPlan keeperPlan(const ClusterLayout &layout, const std::string &sshd);
Job demoJob(const ClusterLayout &layout, int schedulerPort);

std::string sshConfigFile(const std::string &home);
std::string faultsDirectory(const std::string &home);

}  // namespace rankdeck::demo
