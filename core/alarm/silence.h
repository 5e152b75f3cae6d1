// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are silent far longer than usual while their processes live and their nodes answer. Ranks of silent nodes
// are not judged, and only the time up to the last contact with a node counts. Internal to alarm. Pure. Seconds.
#pragma once

#include "core/alarm/rules.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck::alarm {

struct Stall {
    std::vector<int> silent = {};
    // ascending: ranks that differ from the others that wait; empty: none stands out.
    std::vector<int> suspects = {};
    AlarmCase which = AlarmCase::only;  // how the suspects differ
    std::optional<std::int64_t> behindAt = {};
    std::string why = {};  // "is stopped by a signal (state T)", "are at step 606, the others at 607"
    std::string where = {}, othersWhere = {};  // differs
    bool looked = false;                       // all of them were read
    bool someCompute = false;                  // at that reading
    // This console has not seen a pause of this run yet: it may be a usual one.
    bool unheard = false;
    double seconds = 0, usual = 0;
    WallTime since = {};
};
std::optional<Stall> findStall(const Picture &picture);       // they hang
std::optional<Stall> findSilentLogs(const Picture &picture);  // they still save: their logs get no more lines

// Ranks for which the others have waited since they stopped: all that died, if one died for its own reason. Otherwise
// those that exited.
std::vector<int> missedDead(const Picture &picture, const Stall &stall);
std::vector<int> missedWhoLeft(const Picture &picture, const Stall &stall);
// Ranks that still run, if all dead ranks only followed others and one of them had waited: it waited for these. Empty:
// none, or not known yet.
std::vector<int> givenUp(const Picture &picture, const Contacts &heard);

inline constexpr double timesUsual = 5;                        // of the silence that is usual
inline constexpr double longestUsual = 3600;                   // seconds
double patience(const RankState &rank, const JobState &view);  // seconds of silence that do not count as a hang yet
double saveMayTake(const JobState &view);    // a save of this attempt that is under way; 0: there is none
double stepsPerLine(const RankState &rank);  // steps from one line to the next
bool isAtItsEnd(const RankProgress &at);     // at the last step that its own lines name

}  // namespace rankdeck::alarm
