// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as plain values. The plan that is shown is exactly the one that runs and that the journal records. Cannot
// fail.
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
    // Path before the step → inode of the file that the step moves, so that an undo recognises the file. These paths
    // were checked.
    std::map<std::string, std::uint64_t> inodes = {};
    std::vector<FileEdit> edits = {};
    std::vector<LaunchRequest> launches = {};
};
struct Plan {
    std::string id;  // action id in the journal
    Message summary;
    std::vector<NodePlan> nodes = {};
    // Environments of ranks that a launch on another node or a cluster starts. They are not in the JSON; they are
    // listed here so that their secret values can be hidden in it.
    std::vector<std::map<std::string, std::string>> environments = {};
};
std::vector<std::pair<std::string, ProcessId>> endsOf(const Plan &plan);  // by node
// Way to end processes that a launch has started.
struct StopOfLaunch {
    Signal signal = Signal::term;
    // The launched process represents a job of an engine, and ends that job before it ends itself. It must not be
    // killed, because the job would continue. Only its own exit code shows that the job is gone.
    bool standsIn = false;
};
// Bash script with which a user can carry out the plan by hand. Secrets come from the environment of that user.
std::string planAsScript(const Plan &plan);
// The plan as it is shown and stored, without the secrets in the environments of its launches (core/job/secrets.h).
// Secrets stay in the old texts of changed files, because an undo needs these texts.
Plan withoutSecrets(Plan plan);

}  // namespace rankdeck
