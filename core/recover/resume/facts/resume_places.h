// SPDX-License-Identifier: GPL-3.0-or-later
// Places that a new attempt reads from and writes to: permissions, free room, and files that a framework would load
// without being asked. readPlaces blocks until the deadline; the rest is pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/plan.h"
#include "core/recover/resume/aside/backup_outputs.h"
#include "core/recover/resume_report.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct SavePlace {  // one directory of checkpoints or logs on one node
    std::string node;
    std::string path;
    std::vector<int> ranks = {};
    bool checkpoints = true;  // false: logs
    bool known = false;
    bool writable = false;
    std::string owner = {};
    std::uint64_t device = 0;
    std::optional<std::uint64_t> freeBytes = {};
};
struct MemberAccess {
    int rank = -1;
    std::string node;
    std::string path;
    std::uint32_t uid = 0;
    std::string problem = {};  // why its first byte cannot be read
};
struct AutoLoaded {  // a file that the framework prefers to the given path
    std::string node;
    std::string path;
    std::string by;
    std::int64_t step = -1;
};
struct PlaceFacts {
    std::vector<SavePlace> places = {};
    std::vector<MemberAccess> members = {};
    std::vector<AutoLoaded> autoLoaded = {};
    std::vector<UnknownPlace> unsearched = {};  // roots that may contain more of these
};

PlaceFacts readPlaces(ActionContext &host, const JobState &view, const CheckpointSet &set, SteadyTime deadline);
// Renames for the wanted fixes, by node.
std::map<std::string, std::vector<FileActionRequest>>
autoLoadedMoves(const PlaceFacts &facts, const ResumeOptions &options, const std::string &id);

// ---- pure part
// The framework that would load this file without being asked. `by` is empty if there is none.
AutoLoaded autoLoadedOf(const FileEntry &entry);

}  // namespace rankdeck
