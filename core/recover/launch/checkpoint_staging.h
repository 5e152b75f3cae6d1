// SPDX-License-Identifier: GPL-3.0-or-later
// Staging directory with links to the chosen set only, for scripts that take the newest checkpoint of a directory. It
// contains rank_R/<file>, or the one checkpoint that all ranks load, and the framework's tracker file. It is built
// under another name and then renamed, so it is never incomplete. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct ViewMember {                       // file or directory that one rank loads
    std::string path = {};                // absolute path of a file or a directory, or the prefix of parts
    std::vector<std::string> parts = {};  // files that begin with path, if that is a prefix
    int fromRank = -1;                    // rank whose file this is, if it gets this rank's name; -1: this rank
    std::string name = {};                // name of the link, if the file was moved to another name
    std::vector<BytePatch> patches = {};  // changes that this rank needs: it gets a patched copy, not a link
};
using ViewMembers = std::map<int, ViewMember>;

struct ViewSteps {  // steps of one node
    std::vector<FileActionRequest> files = {};
    std::vector<FileEdit> trackers = {};  // new files in the staging directory, after it is made
};

// node → directory. All nodes share one directory if they see the same files.
std::map<std::string, std::string> viewDirectories(const Job &job, const std::string &id);
std::map<std::string, ViewSteps> makeViews(const Job &job, const std::map<std::string, std::string> &directories,
                                           const ViewMembers &members);
// Path in the staging directory of a member that is one file.
std::string linkOf(const Job &job, const std::string &directory, const ViewMembers &members, int rank);
// Name under which a rank looks for another rank's file that it is to load: llama_rank_0-3_10.ckpt → llama_rank_4-….
std::string nameForRank(const std::string &name, int from, int to);
// Refuses if a script that searches the checkpoint directory would also find the staging directory.
std::vector<Finding> viewFindings(const Job &job, const std::map<std::string, std::string> &directories);

}  // namespace rankdeck
