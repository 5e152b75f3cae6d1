// SPDX-License-Identifier: GPL-3.0-or-later
// Backups of files that a new attempt would truncate or load by mistake. They are renamed in place, so that nothing is
// lost and everything can be moved back. Pure, except searchSaves. The PathStats must have been read before.
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
    // node → old path → new path. Also contains nodes that see the same file but do not move it themselves.
    std::map<std::string, std::map<std::string, std::string>> moved = {};
};

struct UnknownPlace {  // a place whose content is unknown
    std::string node;
    std::string path;
    std::string problem;
};
// Logs on live nodes that did not answer. They would not be renamed, and a new attempt would overwrite them.
std::vector<UnknownPlace> unknownLogs(const PathStats &book, const JobState &view, bool wholeDirectory);

// Requests the stats needed to rename worker_0.log → worker_0.attempt-2.log, or the whole directory → …attempt-2 if the
// recipe overwrites all of it.
void wantLogs(PathStats &book, const Job &job, bool wholeDirectory);
Moves moveLogs(const PathStats &book, const JobState &view, bool wholeDirectory);
// The same for the files of a graceful exit, which OnRequestExit would load instead of the chosen set.
using SavesByNode = std::map<std::string, std::vector<std::string>>;
std::vector<UnknownPlace> unknownSaves(const PathStats &book, const JobState &view, const SavesByNode &found = {});
// Searches for saves of a graceful exit if the job file does not name their place: every *_train.ckpt near the working
// directory and the checkpoints. Blocks until the deadline. Empty if the job file names the place, or if the job has no
// graceful exit. unknown: roots that were not searched completely.
SavesByNode searchSaves(ActionContext &host, const Job &job, SteadyTime deadline, std::vector<UnknownPlace> &unknown);
// Parts of the root that are missing in the listing; empty: the listing is complete, or the root does not exist.
std::vector<UnknownPlace> unknownIn(const std::string &node, const std::string &root, const Result<Listing> &listing);
void wantSaves(PathStats &book, const Job &job, const SavesByNode &found = {});
// {graceful_exit.saves} → ….moved-<id>
Moves moveSaves(const PathStats &book, const JobState &view, const std::string &id, const SavesByNode &found = {});

}  // namespace rankdeck
