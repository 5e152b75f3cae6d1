// SPDX-License-Identifier: GPL-3.0-or-later
// Staging directory of links to the chosen set only, for scripts that take "the newest" of a directory. It contains
// rank_R/<file>, or the one checkpoint that all ranks load, and the file in which the framework remembers the newest.
// It is built under another name and renamed, so that it is complete or missing. Pure.
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
    int fromRank = -1;                    // another rank's file: it gets this rank's name; -1: its own
    std::string name = {};                // name of the link, if the file was moved to another name
    std::vector<BytePatch> patches = {};  // bytes that the rank must find changed: a copy replaces the link
};
using ViewMembers = std::map<int, ViewMember>;

struct ViewSteps {  // steps of one node
    std::vector<FileActionRequest> files = {};
    std::vector<FileEdit> trackers = {};  // new files in the staging directory, after it is made
};

// node → directory. One directory if all nodes see the same files.
std::map<std::string, std::string> viewDirectories(const Job &job, const std::string &id);
std::map<std::string, ViewSteps> makeViews(const Job &job, const std::map<std::string, std::string> &directories,
                                           const ViewMembers &members);
// Path of a member that is one file.
std::string linkOf(const Job &job, const std::string &directory, const ViewMembers &members, int rank);
// File name for which a rank looks when it is given another rank's file: llama_rank_0-3_10.ckpt → llama_rank_4-….
std::string nameForRank(const std::string &name, int from, int to);
// Refused if a script that searches the checkpoint directory would also find the staging directory.
std::vector<Finding> viewFindings(const Job &job, const std::map<std::string, std::string> &directories);

}  // namespace rankdeck
