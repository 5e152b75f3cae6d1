// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a new attempt would truncate or load by mistake are moved aside, next to where they are, so that nothing
// is lost and everything can be moved back. Pure but for searchSaves: the book has been read before.
#pragma once

#include "core/base/result.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/launch/recipe.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct Moves {
    std::map<std::string, std::vector<FileActionRequest>> byNode = {};
    std::vector<Finding> findings = {};
    // node → path before → path afterwards, also for the nodes that see the same file but do not move it.
    std::map<std::string, std::map<std::string, std::string>> moved = {};
};

struct UnknownPlace {  // of which it is not known what lies there
    std::string node;
    std::string path;
    std::string problem;
};
// Logs of nodes that are live: without an answer nothing would be moved, and a new attempt would write over them.
std::vector<UnknownPlace> unknownLogs(const PathStats &book, const JobState &view, bool wholeDirectory);

// worker_0.log → worker_0.attempt-2.log, or the whole directory → …attempt-2 for a recipe that owns it.
void wantLogs(PathStats &book, const Job &job, bool wholeDirectory);
Moves moveLogs(const PathStats &book, const JobState &view, bool wholeDirectory);
// The same of what a graceful exit saved: OnRequestExit would load it over the chosen set.
using SavesByNode = std::map<std::string, std::vector<std::string>>;
std::vector<UnknownPlace> unknownSaves(const PathStats &book, const JobState &view, const SavesByNode &found = {});
// Where the job file does not say where they are: every *_train.ckpt near the working directory and the checkpoints.
// Blocks until the deadline. Empty where the job file says it, or has no graceful exit. unknown: roots not wholly searched.
SavesByNode searchSaves(ActionContext &host, const Job &job, SteadyTime deadline, std::vector<UnknownPlace> &unknown);
// What a listing does not tell of its root and what lies under it; empty: it tells all, or that there is nothing.
std::vector<UnknownPlace> unknownIn(const std::string &node, const std::string &root, const Result<Listing> &listing);
void wantSaves(PathStats &book, const Job &job, const SavesByNode &found = {});
// {graceful_exit.saves} → ….moved-<id>
Moves moveSaves(const PathStats &book, const JobState &view, const std::string &id, const SavesByNode &found = {});

}  // namespace rankdeck
