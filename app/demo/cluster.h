// SPDX-License-Identifier: GPL-3.0-or-later
// A private training cluster on this machine: a real sshd per node on loopback as the current user, with its own keys,
// ssh config and known hosts, and a training process per rank. What it offers to a console is an ordinary job file.
// Everything ends with stop() or the destructor; when this process dies, the keeper ends it. One thread at a time.
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
    std::string stateDir = {};             // where the private directory is made; empty: $XDG_RUNTIME_DIR or /tmp
    std::vector<std::string> faults = {};  // see app/demo/trainer/fault.h; without @step: after two and a half saves
    double stepSeconds = 0.25;
    std::int64_t stepsPerEpoch = 100;
    std::int64_t epochs = 1000;
    std::int64_t saveSteps = 20;
    int keep = 5;
    std::uint64_t seed = 1;
    double collectiveSeconds = 10;  // until healthy ranks give up on a dead or hung one
    double ownerPollSeconds = 1;    // how often the keeper looks whether this process still lives
    std::string trainer = {};       // rankdeck-demo-trainer; empty: beside this program, in libexec or in PATH
};

class DemoCluster {
public:
    // Cleans up after dead owners, makes the cluster, and returns when every node answers and every rank is started.
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
    [[nodiscard]] bool running() const;  // the keeper is there; it restarts nothing that ends

    // On the running cluster, at once or at its @step. Error invalid: no such fault, rank or node.
    Status applyFault(const std::string &text);
    // Ends every process of the cluster, those of later attempts too, and removes its directory. Idempotent.
    Status stop();

private:
    DemoCluster() = default;

    std::string m_id;
    std::string m_directory;
    std::string m_jobFile;
    std::string m_sshConfig;
    std::vector<std::string> m_nodes;
    std::vector<int> m_nodeOfRank;
    int m_keeper = -1;  // pid, our child
};

}  // namespace rankdeck::demo
