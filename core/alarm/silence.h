// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are silent far longer than usual while their processes live and their nodes answer. Ranks on silent nodes
// are not judged: their silence counts only up to the last contact with the node. Internal to alarm. Pure. Times in
// seconds.
#pragma once

#include "core/alarm/rules.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck::alarm {

struct Stall {
    std::vector<int> silent = {};
    // Ranks that differ from the waiting ranks, ascending; empty: no rank stands out.
    std::vector<int> suspects = {};
    AlarmCase which = AlarmCase::only;                         // how the suspects differ
    std::optional<std::int64_t> behindAt = {}, othersAt = {};  // isBehind: steps of the suspects and of the others
    std::string where = {}, othersWhere = {};  // differs: where the suspects wait, and the others; empty: they compute
    bool looked = false;                       // the stack traces of all ranks were read
    bool someCompute = false;                  // some ranks computed at that time
    // True if this console has not yet seen a pause of this run: the silence may be a usual pause.
    bool unheard = false;
    double seconds = 0, usual = 0;
    WallTime since = {};
};
// Sentences about the stall. mayGoOn: no rank has died of the wait, so SIGCONT helps a stopped rank.
Message stallText(const Stall &stall, const Alarm &alarm, bool mayGoOn);
std::optional<Stall> findStall(const Picture &picture);       // the ranks hang
std::optional<Stall> findSilentLogs(const Picture &picture);  // the ranks still save, but their logs get no more lines

// Ranks for which the others have waited since they stopped. These are all dead ranks, if one of them died for its own
// reason; otherwise the ranks that exited.
std::vector<int> missedDead(const Picture &picture, const Stall &stall);
std::vector<int> missedWhoLeft(const Picture &picture, const Stall &stall);
// Ranks that still run and for which a dead rank had waited, if all dead ranks were only victims. Empty: none, or not
// known yet.
std::vector<int> givenUp(const Picture &picture, const Contacts &heard);

inline constexpr double timesUsual = 5;                        // multiple of the usual silence
inline constexpr double longestUsual = 3600;                   // seconds
double patience(const RankState &rank, const JobState &view);  // seconds of silence that do not yet count as a hang
double saveMayTake(const JobState &view);    // seconds that a running save may take; 0: none is running
double stepsPerLine(const RankState &rank);  // steps from one line to the next
bool isAtItsEnd(const RankProgress &at);     // at the last step that the rank's own lines name

}  // namespace rankdeck::alarm
