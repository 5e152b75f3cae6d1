// SPDX-License-Identifier: GPL-3.0-or-later
// JSON files that the owner of a demo cluster and its keeper exchange in the cluster's directory. keeper.json: from
// owner to keeper. ready.json: from keeper to owner, and to a later start that has to clean up. Plain values.
// ErrorKind::invalid: not JSON, or a member is missing.
#pragma once

#include "app/demo/child.h"
#include "app/demo/processes.h"
#include "core/base/result.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck::demo {

struct KeeperNode {
    std::string name;
    std::string sshdConfig;
    std::string sshdLog;
};
struct KeeperPlan {
    std::string id;
    std::string directory;
    ProcessStart owner;
    double pollSeconds = 1;     // interval at which the keeper checks that the owner is alive
    double stepSeconds = 0.25;  // duration of one step, for @step of a link fault
    std::string sshd;
    std::string faults;  // directory of the inbox
    std::vector<std::string> linkFaults = {};
    std::vector<KeeperNode> nodes = {};
    std::vector<ChildSpec> ranks = {};  // in rank order; the keeper adds MS_SCHED_PORT
};

struct KeeperReady {
    std::string error = {};  // reason why the cluster did not start
    std::string boot = {};
    ProcessStart keeper;
    int schedulerPort = 0;
    std::vector<int> ports = {};             // ports of the links, one per node
    std::vector<ProcessStart> servers = {};  // sshd processes, one per node
    std::vector<ProcessStart> ranks = {};    // rank processes of the first attempt
};

std::string planToJson(const KeeperPlan &plan);
Result<KeeperPlan> planFromJson(const std::string &text);
std::string readyToJson(const KeeperReady &ready);
Result<KeeperReady> readyFromJson(const std::string &text);

}  // namespace rankdeck::demo
