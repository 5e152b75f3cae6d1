// SPDX-License-Identifier: GPL-3.0-or-later
// A resume written down before anything runs: the chosen set, what speaks for and against, and per node the edits, the
// file steps and the commands. Reads from the nodes (all at once, until the deadline); writes nothing.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan.h"
#include "core/recover/resume_report.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct PinnedFile {  // a member as it was judged: it must still be so when the launch comes
    int rank = -1;
    std::string node;
    std::string path;          // where it is once the plan's file steps are done
    std::string pathNow = {};  // where it is now
    FileStat stat = {};
    std::vector<std::string> parts = {};  // the files that begin with path, when that is a prefix
    int fromRank = -1;                    // a replica's file serves this rank
};

struct ResumeDraft {
    std::optional<CheckpointSet> set = {};
    std::vector<Finding> findings = {};
    Plan plan = {};
    std::vector<PinnedFile> members = {};
    std::vector<PinnedFile> pinned =
        {};  // further files that must stay as they were judged: parts, originals of copies
    const Recipe *recipe = nullptr;
    std::map<std::string, std::string> accepted = {};  // LaunchPlan::accepted
    std::optional<WallTime> growth = {};               // lastGrowth
};

ResumeDraft draftResume(ActionContext &host, const JobState &view, const ResumeOptions &options, const std::string &id,
                        SteadyTime deadline);

}  // namespace rankdeck
