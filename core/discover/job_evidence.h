// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence from the files around a running job: its output directories, and the config that stops it. Also whether its
// script takes a checkpoint to load, and whether its nodes see the same files. Lists and reads, bounded; blocks until
// the deadline.
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
    std::vector<std::string> severalPlaces = {};     // where the ranks save, when no single pattern covers all of them
    std::string prefix = {};                         // of ModelCheckpoint
    std::optional<std::string> ttpLog = {};          // MindIO's own log, if there is one that all ranks of a node write
    std::vector<std::string> searched = {};          // directories that were searched
    std::vector<std::string> configProblems = {};    // files of the command that are not valid YAML, with the reason
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
// The script of an interpreter's command line, otherwise the program.
std::string programOf(const RankTrace &rank);

}  // namespace rankdeck
