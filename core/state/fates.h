// SPDX-License-Identifier: GPL-3.0-or-later
// The only rule for which ranks run, have exited or died; every panel, command and action uses it. Pure; never fails:
// without an answer a rank's fate is unknown.
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
    // The leading ones that no other rank is known to precede. A single one was the first. Several went so close
    // together that only the order of reading would distinguish them.
    std::vector<int> diedFirst = {};
    [[nodiscard]] bool anyRuns() const { return !running.empty(); }
    // A rank runs, is about to end, or could not be asked.
    [[nodiscard]] bool mayRun() const { return anyRuns() || !unknown.empty() || !leaving.empty(); }
    [[nodiscard]] bool allDied() const { return !died.empty() && !mayRun(); }
};

// Effect of a graceful stop of this attempt on ended ranks.
enum class Excuse {
    none,
    pending,  // asked to stop in a way without a log line; the proof is not complete yet
    proven,   // the stop ended with its proof: no rank died
};
Fates fatesOf(const JobState &view, Excuse excuse = Excuse::none);

// When each of some deaths happened, as far as that is known: at the earliest and at the latest, by the console's clock.
struct DeathSpan {
    WallTime earliest = {}, latest = {};
};
// By index: deaths that no other death is known to precede. Independent of the order of the spans.
std::vector<std::size_t> firstOf(const std::vector<DeathSpan> &spans);
// Seconds between the writing and the reading of a line, at most.
constexpr double readingDelay = 1;
// Maximum delay of a death's event. Its time is that of a read error, or of the last line, step or process list before.
constexpr double deathEventDelay = 3;
// Time after its end in which a rank's last line may still arrive: through a pipe, or from its launcher.
constexpr double lastLinesDelay = 2;

// End of a dead rank, in one sentence without a full stop: "OSError: File too large; signal 9 (SIGKILL)". Empty if
// unknown.
std::string howItDied(const RankState &rank);
FailureCause causeOf(const RankState &rank);
// Whether its log or its launcher may still report its end.
bool mayStillSpeak(const RankState &rank, WallTime now);
// The last sign of life: its last line or sample, or the last list with its process. Empty: never seen.
std::optional<WallTime> lastSign(const RankState &rank);

}  // namespace rankdeck
