// SPDX-License-Identifier: GPL-3.0-or-later
// What the files around a running job say: where it saves, which config stops it, whether its script takes a checkpoint
// to load, whether its nodes see the same files. Lists and reads, bounded; blocks until the deadline.
#pragma once

#include "core/discover/found_job.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Hosts by their index into the traces.
using HostClients = std::vector<NodeClient *>;

struct JobEvidence {
    std::optional<std::string> checkpoints = {};     // pattern of a rank's directory
    std::vector<std::string> severalPlaces = {};     // where the ranks save, when no pattern says all of them
    std::string prefix = {};                         // of ModelCheckpoint
    std::optional<std::string> ttpLog = {};          // MindIO's own, where one is there that all ranks of a node write
    std::vector<std::string> searched = {};          // directories that were looked through
    std::vector<std::string> configProblems = {};    // YAML files of the command that are none, and why
    std::optional<std::string> gracefulConfig = {};  // pattern
    std::optional<std::string> gracefulSaves = {};   // pattern
    std::string program = {};                        // the script, or the program itself
    std::string text = {};                           // of the script
    std::string resumeOption = {};                   // that it takes
    std::vector<std::string> hostsInFiles = {};      // that its rank table or hostfile lists
    bool pathsShared = false;
};

JobEvidence gatherEvidence(const FoundJob &job, const HostClients &clients, SteadyTime deadline);

// The very same file, seen through two nodes.
bool sameFile(NodeClient &one, NodeClient &other, const std::string &path, SteadyTime deadline);

// ---- pure parts
// Words of a command line and its environment that are paths: absolute, of options too (--out=/x); relative to cwd.
std::vector<std::string> pathsOf(const RankTrace &rank);
// The script of an interpreter's command line, else the program.
std::string programOf(const RankTrace &rank);

}  // namespace rankdeck
