// SPDX-License-Identifier: GPL-3.0-or-later
// A directory of links to the chosen set only, for scripts that take "the newest" of a directory: rank_R/<file>, or the
// one checkpoint that all ranks load, with the file by which its framework remembers the newest. Built under another name
// and renamed, so that it is whole or not there. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct ViewMember {                       // what one rank loads
    std::string path = {};                // absolute: a file, a directory, or the prefix of parts
    std::vector<std::string> parts = {};  // the files that begin with path, when that is a prefix
    int fromRank = -1;                    // another rank's file: it gets this rank's name; -1: its own
    std::string name = {};                // of the link, where the file was moved to another one
    std::vector<BytePatch> patches = {};  // what the rank must find otherwise: a copy in place of the link
};
using ViewMembers = std::map<int, ViewMember>;

struct ViewSteps {  // of one node
    std::vector<FileActionRequest> files = {};
    std::vector<FileEdit> trackers = {};  // new files in the view, once it stands
};

// node → directory. One directory when all nodes see the same files.
std::map<std::string, std::string> viewDirectories(const Job &job, const std::string &id);
std::map<std::string, ViewSteps> makeViews(const Job &job, const std::map<std::string, std::string> &directories,
                                           const ViewMembers &members);
// Of a member that is one file.
std::string linkOf(const Job &job, const std::string &directory, const ViewMembers &members, int rank);
// The name under which a rank looks for its file when it is given another rank's: llama_rank_0-3_10.ckpt → llama_rank_4-….
std::string nameForRank(const std::string &name, int from, int to);
// Refused where a script that searches the checkpoints' directory would find the view too.
std::vector<Finding> viewFindings(const Job &job, const std::map<std::string, std::string> &directories);

}  // namespace rankdeck
