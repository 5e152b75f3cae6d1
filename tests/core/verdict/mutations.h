// SPDX-License-Identifier: GPL-3.0-or-later
// A run of several saves, and every change to one file of one save. The file is lost, renamed, cut, or replaced by that
// of another save, another run or another rank. Each change is applied and judged.
#pragma once

#include "core/verdict/verdict.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rankdeck::test {

using Files = std::map<std::string, std::string>;       // path below the run, bytes
using FileTimes = std::map<std::string, std::int64_t>;  // times in seconds

struct MutatedRun {
    std::string name = {};
    Files files = {};
    std::string newest = {}, older = {};  // differing parts of their paths
    Files others = {};                    // same files of another run
    bool isOlder = false;                 // whether newest and older are exchanged
    bool trained = true;                  // if false, the weights of each save are unrelated to the one before
    std::vector<std::size_t> cuts = {1, 3, 4, 5, 7};  // lengths of cut files, in eighths
};

// A change that a loader tolerates or cannot notice.
struct AllowedMutation {
    const char *file, *change;  // parts of the name and of the change; "" matches any
    const char *reason = "";    // reason that must be reported; "": none
};

Files filesOf(const std::string &sample);  // files of a directory below tests/data, without scripts and texts
// Each save is ten minutes after the previous one; the marks are written last.
FileTimes timesOf(const MutatedRun &run);
// Expects that the run's newest set is recommended, and that no mutation leaves the save VALID, except for those
// allowed. Returns the number of mutations that were tried.
int tryAllMutations(const MutatedRun &run, const FileTimes &times, const std::vector<AllowedMutation> &allowed);

}  // namespace rankdeck::test
