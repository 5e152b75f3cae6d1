// SPDX-License-Identifier: GPL-3.0-or-later
// A private training cluster on this machine: an sshd per node and a training process per rank. The sshds are real:
// they run on loopback as the current user, with their own keys, ssh config and known hosts. A console uses the cluster
// through an ordinary job file. stop() or the destructor ends all of it; if this process dies, the keeper does. One
// thread at a time.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck::demo {

struct DemoOptions {
    int ranks = 8;
    int nodes = 2;
    std::string stateDir = {};             // parent of the private directory; empty: $XDG_RUNTIME_DIR or /tmp
    std::vector<std::string> faults = {};  // see app/demo/trainer/fault.h; without @step: after two and a half saves
    double stepSeconds = 0.25;
    std::int64_t stepsPerEpoch = 100;
    std::int64_t epochs = 1000;
    std::int64_t saveSteps = 20;
    int keep = 5;
    std::uint64_t seed = 1;
    double collectiveSeconds = 10;  // time until healthy ranks give up on a dead or hung one
    double ownerPollSeconds = 1;    // interval at which the keeper checks that this process is alive
    std::string trainer = {};       // rankdeck-demo-trainer; empty: next to this program, in libexec or in PATH
};

class DemoCluster {
public:
    // Cleans up after dead owners, makes the cluster, and returns when all nodes answer and all ranks are started.
    // Error unsupported: a program is missing; invalid: bad options.
    static Result<std::unique_ptr<DemoCluster>> start(DemoOptions options);
    ~DemoCluster();
    DemoCluster(const DemoCluster &) = delete;
    DemoCluster &operator=(const DemoCluster &) = delete;

    [[nodiscard]] const std::string &jobFile() const { return m_jobFile; }
    [[nodiscard]] const std::string &sshConfig() const { return m_sshConfig; }
    [[nodiscard]] const std::string &directory() const { return m_directory; }
    [[nodiscard]] const std::string &id() const { return m_id; }
    [[nodiscard]] const std::vector<std::string> &nodes() const { return m_nodes; }
    [[nodiscard]] std::vector<int> ranksOf(const std::string &node) const;
    [[nodiscard]] bool running() const;  // the keeper process exists; it does not restart what ends

    // Applies a fault to the running cluster, at once or at its @step. Error invalid: no such fault, rank or node.
    Status applyFault(const std::string &text);
    // Ends all processes of the cluster, including those of later attempts, and removes its directory. Idempotent.
    Status stop();

private:
    DemoCluster() = default;

    std::string m_id;
    std::string m_directory;
    std::string m_jobFile;
    std::string m_sshConfig;
    std::vector<std::string> m_nodes;
    std::vector<int> m_nodeOfRank;
    int m_keeper = -1;  // pid of our child process
};

}  // namespace rankdeck::demo
