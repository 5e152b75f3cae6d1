// SPDX-License-Identifier: GPL-3.0-or-later
// The one rule for who runs, who has exited and who died; every panel, command and act asks here. Pure; never fails:
// where nobody could answer, a rank's fate is unknown.
#pragma once

#include "core/parse/lines/failure_cause.h"
#include "core/state/job_state.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

enum class Fate {
    unknown,  // its node does not answer, or its process was never told apart
    runs,
    leaving,  // gone this moment; its last lines may still be on their way
    exited,   // with proof: it logged the graceful exit and no failure after it, returned 0, or a proven stop ended it
    ended,    // gone, and nothing says how: the end of training, or from before this console looked
    died,     // gone without such a proof while it was watched, or with an error, a signal, an exit code
};
const char *fateName(Fate fate);  // "runs", "died" …: what `status` says

struct Fates {
    std::vector<Fate> of = {};  // in the order of JobState::ranks
    std::vector<int> running = {}, exited = {}, ended = {}, unknown = {}, leaving = {};
    std::vector<int> died = {};  // who failed first stands first, victims of others last
    // The leading ones of them whom nobody is known to have gone before: with one, it was the first. Several went at so
    // nearly one time that only the order of reading would tell them apart.
    std::vector<int> diedFirst = {};
    [[nodiscard]] bool anyRuns() const { return !running.empty(); }
    // Somebody runs, is about to be gone, or could not be asked.
    [[nodiscard]] bool mayRun() const { return anyRuns() || !unknown.empty() || !leaving.empty(); }
    [[nodiscard]] bool allDied() const { return !died.empty() && !mayRun(); }
};

// What a graceful stop of this attempt says for those that are gone.
enum class Excuse {
    none,
    pending,  // asked to leave in a way that leaves no line in the log; whether they obeyed is being proven
    proven,   // the stop ended with its proof: nobody died
};
Fates fatesOf(const JobState &view, Excuse excuse = Excuse::none);

// When each of some deaths happened, as far as that is known: at the earliest and at the latest, by the console's clock.
struct DeathSpan {
    WallTime earliest = {}, latest = {};
};
// By index: those whom none of the others is known to have gone before. The same whatever the order of the spans.
std::vector<std::size_t> firstOf(const std::vector<DeathSpan> &spans);
// What is read now was written up to so many seconds ago.
constexpr double readingDelay = 1;
// The event of a death has the time of an error that was read, or of a last line, a step or a look at the processes before.
constexpr double deathEventDelay = 3;
// So long after its end a rank's last word may still come: through a pipe, or from its launcher.
constexpr double lastWordsDelay = 2;

// How a rank that died ended, in one sentence without a full stop: "OSError: File too large; signal 9 (SIGKILL)".
// Empty when nothing says it.
std::string howItDied(const RankState &rank);
FailureCause causeOf(const RankState &rank);
// Whether its log or its launcher may still say something of its end.
bool mayStillSpeak(const RankState &rank, WallTime now);
// The last sign of life: its last line or sample, or that its process was there. Empty: none was ever seen.
std::optional<WallTime> lastSign(const RankState &rank);

}  // namespace rankdeck
