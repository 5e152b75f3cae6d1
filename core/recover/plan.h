// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as plain values. The shown plan is exactly the one that runs and that the journal keeps. Nothing of it fails.
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
    bool takesBack = false;  // a stop request, which is set again when this is undone
};

struct ProcessEnd {  // end of a leftover process: the signal, and SIGKILL if it still runs ten seconds later
    ProcessId process;
    Signal signal = Signal::term;
    std::string text;  // "rank 3, pid 4711 (python)"
};
struct FileCopy {  // file of a checkpoint on another node; its hash is compared before it gets its name
    std::string fromNode;
    std::string from;
    std::string path;  // path on this node; must not exist
    std::uint64_t bytes = 0;
};
struct NodePlan {
    std::string node;
    std::vector<ProcessEnd> ends = {};          // first; not undone
    std::vector<FileCopy> copies = {};          // next
    std::vector<FileActionRequest> files = {};  // in order, before the launch
    // Path before the step → inode of the moved file, so that an undo recognises it. Paths listed here were checked.
    std::map<std::string, std::uint64_t> inodes = {};
    std::vector<FileEdit> edits = {};
    std::vector<LaunchRequest> launches = {};
};
struct Plan {
    std::string id;  // action id in the journal
    Message summary;
    std::vector<NodePlan> nodes = {};
    // Environments of ranks that another node's launch or a cluster starts. They are not in the JSON; their values are
    // hidden in it.
    std::vector<std::map<std::string, std::string>> environments = {};
};
std::vector<std::pair<std::string, ProcessId>> endsOf(const Plan &plan);  // by node
// Way to end launched processes.
struct StopOfLaunch {
    Signal signal = Signal::term;
    // The process represents a job of an engine, and ends that job before it ends itself. It must not be killed,
    // because the job would live on; only its own exit code shows that the job is gone.
    bool standsIn = false;
};
// Bash script that does the same by hand. Secrets come from the environment of the user who runs it.
std::string planAsScript(const Plan &plan);
// The plan as it is shown and stored, without the secrets of its launches' environments (core/job/secrets.h). Secrets
// remain in the old texts of changed files, because an undo needs them.
Plan withoutSecrets(Plan plan);

}  // namespace rankdeck
