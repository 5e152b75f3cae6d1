// SPDX-License-Identifier: GPL-3.0-or-later
// The only rule that decides which ranks run, have exited or died; every panel, command and action uses it. Pure; never
// fails. If there is no answer, a rank's fate is unknown.
#pragma once

#include "core/parse/lines/failure_cause.h"
#include "core/state/job_state.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

enum class Fate {
    unknown,  // its node does not answer, or its process was never identified
    runs,
    leaving,  // just ended; its last lines may still be on their way
    exited,   // with proof: it logged the graceful exit and no failure after it, returned 0, or a proven stop ended it
    ended,    // gone, and its log shows no reason: the end of training, or from before this console started
    died,     // gone without such a proof while it was watched, or with an error, a signal, an exit code
};
const char *fateName(Fate fate);  // "runs", "died" …: as `status` prints it

struct Fates {
    std::vector<Fate> of = {};  // in the order of JobState::ranks
    std::vector<int> running = {}, exited = {}, ended = {}, unknown = {}, leaving = {};
    std::vector<int> died = {};  // the first to fail comes first, victims of others last
    // The ranks at the head of `died` that no other rank is known to precede. If there is only one, it died first. If
    // there are several, they died so close together that their order is unknown.
    std::vector<int> diedFirst = {};
    [[nodiscard]] bool anyRuns() const { return !running.empty(); }
    // True if a rank runs, is about to end, or could not be asked.
    [[nodiscard]] bool mayRun() const { return anyRuns() || !unknown.empty() || !leaving.empty(); }
    [[nodiscard]] bool allDied() const { return !died.empty() && !mayRun(); }
};

// Meaning of a graceful stop of this attempt for ranks that have ended.
enum class Excuse {
    none,
    pending,  // asked to stop by a method without a log line; the proof is not complete yet
    proven,   // the stop ended with its proof: no rank died
};
Fates fatesOf(const JobState &view, Excuse excuse = Excuse::none);

// Earliest and latest time of a death, by the console's clock.
struct DeathSpan {
    WallTime earliest = {}, latest = {};
};
// Indices of the deaths that no other death is known to precede. Independent of the order of the spans.
std::vector<std::size_t> firstOf(const std::vector<DeathSpan> &spans);
// Longest time between the writing and the reading of a line, in seconds.
constexpr double readingDelay = 1;
// Longest delay of a death's event. The event has the time of the error that was read; without an error, the time of
// the last line, step or process list.
constexpr double deathEventDelay = 3;
// Time after its end in which a rank's last line may still arrive: through a pipe, or from its launcher.
constexpr double lastLinesDelay = 2;

// End of a dead rank, in one sentence without a full stop: "OSError: File too large; signal 9 (SIGKILL)". Empty if
// unknown.
std::string howItDied(const RankState &rank);
FailureCause causeOf(const RankState &rank);
// True if its log or its launcher may still report why it ended.
bool mayStillSpeak(const RankState &rank, WallTime now);
// Time of the last sign of life: the last line or sample, or the last list with its process. Empty: never seen.
std::optional<WallTime> lastSign(const RankState &rank);

}  // namespace rankdeck
