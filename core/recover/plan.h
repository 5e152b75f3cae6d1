// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as plain values: what is shown is what runs and what the journal keeps. Nothing of it fails.
#pragma once

#include "core/node/protocol/messages.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

struct FileEdit {
    std::string path;
    std::string before;
    std::string after;
    std::string diff;
    std::string expectedSha256;
    bool takesBack = false;  // a request to stop, which stands again when this is undone
};

struct ProcessEnd {  // of a survivor: the signal, and SIGKILL when it still runs ten seconds later
    ProcessId process;
    Signal signal = Signal::term;
    std::string text;  // "rank 3, pid 4711 (python)"
};
struct FileCopy {  // of a checkpoint that another node has; the hash is compared before it gets its name
    std::string fromNode;
    std::string from;
    std::string path;  // on this node; must not exist
    std::uint64_t bytes = 0;
};
struct NodePlan {
    std::string node;
    std::vector<ProcessEnd> ends = {};          // first of all; not undone
    std::vector<FileCopy> copies = {};          // next
    std::vector<FileActionRequest> files = {};  // in order, before the launch
    // Of what a step moves, by the path before: so that an undo knows it again. Paths that stand here were looked at.
    std::map<std::string, std::uint64_t> inodes = {};
    std::vector<FileEdit> edits = {};
    std::vector<LaunchRequest> launches = {};
};
struct Plan {
    std::string id;  // action id in the journal
    std::string summary;
    std::vector<NodePlan> nodes = {};
    // Environments of ranks that another node's launch or a cluster starts. They are not in the JSON, but hidden in it.
    std::vector<std::map<std::string, std::string>> environments = {};
};
std::vector<std::pair<std::string, ProcessId>> endsOf(const Plan &plan);  // by node
// How what was launched is ended again.
struct StopOfLaunch {
    Signal signal = Signal::term;
    // It stands for a job of an engine, which it ends before it ends itself: it is not killed, as the job would live on, and
    // only its own exit code says that the job is gone.
    bool standsIn = false;
};
// Bash that does the same by hand. Secrets of the environment are taken from that of whoever runs it.
std::string planAsScript(const Plan &plan);
// As it is shown and kept: without the secrets of its launches' environments (core/job/secrets.h), but in the texts of files
// that were there before, which an undo needs.
Plan withoutSecrets(Plan plan);

}  // namespace rankdeck
