// SPDX-License-Identifier: GPL-3.0-or-later
// A run of several saves, and all that can happen to one file of one save: lost, renamed, cut, replaced by that of another
// save, another run or another rank. Every one of them is made and judged.
#pragma once

#include "core/verdict/verdict.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rankdeck::test {

using Files = std::map<std::string, std::string>;       // path below the run, bytes
using FileTimes = std::map<std::string, std::int64_t>;  // in seconds

struct MutatedRun {
    std::string name = {};
    Files files = {};
    std::string newest = {}, older = {};  // what tells their paths apart
    Files others = {};                    // the same of another run
    bool isOlder = false;                 // newest and older have changed places
    bool trained = true;                  // else each save has weights that have nothing to do with the one before
    std::vector<std::size_t> cuts = {1, 3, 4, 5, 7};  // lengths of a cut file, in eighths
};

// What a loader does without, or takes as right.
struct AllowedMutation {
    const char *file, *change;  // parts of the name and of the change; "" is any
    const char *reason = "";    // that must be told; "": none
};

Files filesOf(const std::string &sample);  // of a directory below tests/data, but for scripts and texts
// Each save ten minutes after the one before, marks last.
FileTimes timesOf(const MutatedRun &run);
// Expects that the run's newest set is recommended, and after no mutation that the save is VALID, but for those allowed.
// How many were tried.
int tryAllMutations(const MutatedRun &run, const FileTimes &times, const std::vector<AllowedMutation> &allowed);

}  // namespace rankdeck::test
