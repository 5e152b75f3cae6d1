// SPDX-License-Identifier: GPL-3.0-or-later
// Who is silent far longer than usual while its process lives and its node answers. Ranks of silent nodes are not asked, and
// only the time up to which a node was heard counts. Internal to alarm; pure; seconds.
#pragma once

#include "core/alarm/rules.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck::alarm {

struct Stall {
    std::vector<int> silent = {};
    std::vector<int> suspects = {};     // ascending: who differs from the others that wait; empty: nobody stands out
    AlarmCase which = AlarmCase::only;  // how the suspects differ
    std::optional<std::int64_t> behindAt = {};
    std::string why = {};  // "is stopped by a signal (state T)", "are at step 606, the others at 607"
    std::string where = {}, othersWhere = {};  // differs
    bool looked = false;                       // at what all of them do
    bool someCompute = false;                  // at that look
    bool unheard = false;                      // this console has heard no pause of this run: it may be a usual one
    double seconds = 0, usual = 0;
    WallTime since = {};
};
std::optional<Stall> findStall(const Picture &picture);       // they hang
std::optional<Stall> findSilentLogs(const Picture &picture);  // they save all the same: their logs take no more lines

// For whom the others wait since they came to a halt: all who died, if one did by itself; else who left by itself.
std::vector<int> missedDead(const Picture &picture, const Stall &stall);
std::vector<int> missedWhoLeft(const Picture &picture, const Stall &stall);
// Who still runs while all who died only followed, somebody of them after waiting: for these. Empty: nobody, or not known yet.
std::vector<int> givenUp(const Picture &picture, const Heard &heard);

inline constexpr double timesUsual = 5;                        // of the silence that is usual
inline constexpr double longestUsual = 3600;                   // seconds
double patience(const RankState &rank, const JobState &view);  // of silence that are no hang yet
double saveMayTake(const JobState &view);    // a save of this attempt that is under way; 0: there is none
double stepsPerLine(const RankState &rank);  // steps from one line to the next
bool isAtItsEnd(const RankProgress &at);     // at the last step that its own lines name

}  // namespace rankdeck::alarm
