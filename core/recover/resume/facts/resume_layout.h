// SPDX-License-Identifier: GPL-3.0-or-later
// Consequences of a choice on the nodes, given their files: the backups, the final path of each rank's file, and the
// launch. Pure. Does not decide whether the resume is allowed.
#pragma once

#include "core/recover/launch/checkpoint_mends.h"
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/resume/aside/backup_outputs.h"
#include "core/recover/resume/facts/choose_set.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct PinnedFile {  // a member as it was judged: it must be unchanged at the launch
    int rank = -1;
    std::string node;
    std::string path;          // path after the plan's file steps
    std::string pathNow = {};  // present path
    std::string link = {};     // name under which the rank gets a moved file: frameworks check how the name ends
    FileStat stat = {};
    std::vector<std::string> parts = {};  // files that begin with path, if that is a prefix
    int fromRank = -1;                    // a replica's file serves this rank
    std::vector<BytePatch> patches = {};  // patches of the rank's copy, under `link`
};

struct ResumeLayout {
    Moves saves = {}, newer = {}, logs = {};
    std::vector<PinnedFile> members = {};
    // Further files that must be unchanged since they were judged: parts, originals of copies.
    std::vector<PinnedFile> pinned = {};
    std::map<std::string, std::string> viewDirectories = {};  // node → staging directory, if there is one
    std::map<int, std::string> configs = {};                  // rank → its own copy of the script's configuration
    std::optional<Result<std::string>> vcjobYaml = {};        // launch.volcano.file
    LaunchPlan launch = {};
};
// view: with the job as it will be launched. The choice must be fit.
ResumeLayout layoutOf(const JobState &view, const ResumeChoice &choice, const PathStats &book,
                      const SavesByNode &searched, const std::string &id,
                      std::optional<Result<std::string>> vcjobYaml = {}, const CheckpointMends &mends = {});
// Path of a graceful exit's save on this node after the plan has run; other files keep their path.
std::string pathAfter(const ResumeLayout &layout, const std::string &node, const std::string &path);
// The members by rank, as they are linked in the staging directory.
ViewMembers linkedMembers(const ResumeLayout &layout);
// The recipe's input; it keeps references to view and set.
RecipeInput recipeInput(const JobState &view, const CheckpointSet &set, const ResumeLayout &layout,
                        const std::string &id);
// True if the plan can copy a rank's file from the node on which it was judged. Checkpoints with several files are not
// supported.
bool canCopy(const JobState &view, const CheckpointSet &set, const MemberVerdict &member, const NodeSpec &node);
// The files of a checkpoint whose path is only a prefix of their names, such as TensorFlow's model.ckpt-60; the path
// itself does not exist. Empty: the path is a file or a directory.
std::vector<std::string> filesOfPrefix(const JobState &view, const MemberVerdict &member);

}  // namespace rankdeck
