// SPDX-License-Identifier: GPL-3.0-or-later
// What follows for the nodes from a choice and from what lies there: what goes aside, where each rank's file will be, what is
// run. Pure: it decides nothing about whether that may be done.
#pragma once

#include "core/recover/launch/checkpoint_mends.h"
#include "core/recover/launch/checkpoint_staging.h"
#include "core/recover/resume/aside/backup_outputs.h"
#include "core/recover/resume/facts/choose_set.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct PinnedFile {  // a member as it was judged: it must still be so when the launch comes
    int rank = -1;
    std::string node;
    std::string path;          // where it is once the plan's file steps are done
    std::string pathNow = {};  // where it is now
    std::string link = {};     // by which the rank gets it, where it was moved: frameworks ask for the name's end
    FileStat stat = {};
    std::vector<std::string> parts = {};  // the files that begin with path, when that is a prefix
    int fromRank = -1;                    // a replica's file serves this rank
    std::vector<BytePatch> patches = {};  // the rank is given a copy with these, under `link`
};

struct ResumeLayout {
    Moves saves = {}, newer = {}, logs = {};
    std::vector<PinnedFile> members = {};
    // Further files that must stay as they were judged: parts, originals of copies.
    std::vector<PinnedFile> pinned = {};
    std::map<std::string, std::string> viewDirectories = {};  // node → directory of links, where there is one
    std::map<int, std::string> configs = {};                  // rank → its own copy of the script's configuration
    std::optional<Result<std::string>> vcjobYaml = {};        // launch.volcano.file
    LaunchPlan launch = {};
};
// view: with the job as it will be launched. The choice must be fit.
ResumeLayout layoutOf(const JobState &view, const ResumeChoice &choice, const PathStats &book,
                      const SavesByNode &searched, const std::string &id,
                      std::optional<Result<std::string>> vcjobYaml = {}, const CheckpointMends &mends = {});
// Where the plan leaves a save of a graceful exit that lies on this node; any other file stays where it is.
std::string pathAfter(const ResumeLayout &layout, const std::string &node, const std::string &path);
// As the directory of links has them.
ViewMembers linkedMembers(const ResumeLayout &layout);
// What the recipe was given: it refers to view and set.
RecipeInput recipeInput(const JobState &view, const CheckpointSet &set, const ResumeLayout &layout,
                        const std::string &id);
// Whether a rank's file can be brought to its node from the one where it was judged: checkpoints of several files are not
// one copy.
bool canCopy(const JobState &view, const CheckpointSet &set, const MemberVerdict &member, const NodeSpec &node);
// The files of a checkpoint whose path is the beginning of their names, as TensorFlow's model.ckpt-60: nothing lies under the
// path itself. Empty: it is a file or a directory.
std::vector<std::string> filesOfPrefix(const JobState &view, const MemberVerdict &member);

}  // namespace rankdeck
