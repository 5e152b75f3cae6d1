// SPDX-License-Identifier: GPL-3.0-or-later
// What the owner of a demo cluster and its keeper tell each other, as JSON files in the cluster's directory:
// keeper.json (owner → keeper), ready.json (keeper → owner, and to a later start that has to clean up). Plain values. A
// text that lacks a member, or is no JSON, is ErrorKind::invalid.
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
    double pollSeconds = 1;     // how often the owner is looked for
    double stepSeconds = 0.25;  // what a step of a link fault's @step takes
    std::string sshd;
    std::string faults;  // directory of the inbox
    std::vector<std::string> linkFaults = {};
    std::vector<KeeperNode> nodes = {};
    std::vector<ChildSpec> ranks = {};  // in rank order; MS_SCHED_PORT is added by the keeper
};

struct KeeperReady {
    std::string error = {};  // why there is no cluster
    std::string boot = {};
    ProcessStart keeper;
    int schedulerPort = 0;
    std::vector<int> ports = {};             // of the links, per node
    std::vector<ProcessStart> servers = {};  // the sshds, per node
    std::vector<ProcessStart> ranks = {};    // of the first attempt
};

std::string planToJson(const KeeperPlan &plan);
Result<KeeperPlan> planFromJson(const std::string &text);
std::string readyToJson(const KeeperReady &ready);
Result<KeeperReady> readyFromJson(const std::string &text);

}  // namespace rankdeck::demo
