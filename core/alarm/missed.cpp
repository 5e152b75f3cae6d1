// SPDX-License-Identifier: GPL-3.0-or-later
// Ended ranks for which the remaining ranks wait.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr double afterTheLast = 10;  // seconds; ranks that wait in one collective give up at about the same time

// Whether it failed only after an unusual silence. A collective reports "Wait receiving failed" both after its time-out
// and at once when a peer died.
bool gaveUp(const RankState &rank, const Picture &picture)
{
    const WallTime heard = rank.progress.heard;
    return rank.error && heard != WallTime{} &&
           secondsBetween(heard, rank.error->time) >= alarm::patience(rank, picture.view);
}

// The same for a late console. The log of a dead rank was last written at its error. A rank that still runs, made as many
// steps and logged no error shows the silence before it.
constexpr double silentWhileOthersFailed = 6;  // seconds at least
bool gaveUpOn(const RankState &silent, const RankState &rank)
{
    const WallTime heard = silent.progress.heard;
    if (!rank.error || silent.error || heard == WallTime{}) return false;
    const bool fits = !silent.progress.position || !rank.progress.position ||
                      *silent.progress.position <= *rank.progress.position + 1;
    const double usual = std::min(silent.progress.usualSilence.value_or(0), alarm::longestUsual);
    return fits &&
           secondsBetween(heard, rank.error->time) >= std::max(silentWhileOthersFailed, alarm::timesUsual * usual);
}

bool gaveUpOnAll(const std::vector<int> &running, const RankState &rank, const Picture &picture)
{
    return !running.empty() && std::all_of(running.begin(), running.end(), [&](int other) {
        const RankState *state = alarm::stateOf(picture, other);
        return state && gaveUpOn(*state, rank);
    });
}

// Whether the others stopped when it ended: ranks that make steps for long without it do not wait for it.
bool stoppedThem(const RankState &gone, const alarm::Stall &stall)
{
    return !gone.goneSince || secondsBetween(*gone.goneSince, stall.since) < std::max(10.0, 3 * stall.usual);
}

// True for ranks that a stop request ended: no rank waits for them. Ranks that ended before were not asked.
bool wasAskedToLeave(const RankState &gone, const std::optional<StopPicture> &stop)
{
    if (!stop || !(stop->running || stop->provenStopped)) return false;
    return !gone.goneSince || !stop->started || *gone.goneSince >= *stop->started;
}

// Whether a rank that is gone without an error may have kept the others waiting. It has not if it went further than they did, or
// came to the end of its training.
bool mayHaveKeptWaiting(const RankState &gone, std::optional<std::int64_t> waitedAt)
{
    const std::optional<std::int64_t> &step = gone.progress.position;
    if (!step) return true;
    const std::int64_t total = gone.progress.total.value_or(0);
    if (total > 0 && *step >= total) return false;
    return !waitedAt || *step <= *waitedAt;
}

}  // namespace

namespace alarm {

// No rank waits only for victims: they gave up themselves.
std::vector<int> missedDead(const Picture &picture, const Stall &stall)
{
    const std::vector<int> &died = picture.fates.died;
    const bool missed = std::any_of(died.begin(), died.end(), [&](int rank) {
        const RankState *state = stateOf(picture, rank);
        return state == nullptr || (!isConsequence(causeOf(*state)) && stoppedThem(*state, stall));
    });
    return missed ? died : std::vector<int>();
}

std::vector<int> missedWhoLeft(const Picture &picture, const Stall &stall)
{
    std::vector<int> left;
    for (const int rank : picture.fates.exited)
        if (const RankState *state = stateOf(picture, rank);
            state && stoppedThem(*state, stall) && !wasAskedToLeave(*state, picture.stop))
            left.push_back(rank);
    return left;
}

// A closed connection shows a death, which other ranks may notice next. With ranks on silent nodes it is unknown which
// one was waited for. Several remaining ranks may be about to give up themselves, until some seconds after the last one
// did.
std::vector<int> givenUp(const Picture &picture, const Contacts &heard)
{
    bool waited = false;
    std::optional<WallTime> last;
    for (int rank : picture.fates.died) {
        const RankState *state = stateOf(picture, rank);
        if (state && state->goneSince) last = std::max(last.value_or(*state->goneSince), *state->goneSince);
        const FailureCause cause = state ? causeOf(*state) : FailureCause::unknown;
        if (!isConsequence(cause)) return {};
        const bool afterSilence = gaveUp(*state, picture) || gaveUpOnAll(heard.running, *state, picture);
        waited = waited || cause == FailureCause::collectiveTimeout || (heard.unheard.empty() && afterSilence);
    }
    const bool settled = heard.running.size() == 1 || (last && secondsBetween(*last, picture.now) >= afterTheLast);
    return waited && settled ? heard.running : std::vector<int>();
}

// All ranks that died gave up waiting. They waited for a rank that reports no error and is not seen to run. While a rank is
// about to end, its last lines may still name the cause.
std::vector<int> silentCulprits(const Picture &picture)
{
    bool waited = false;
    std::optional<std::int64_t> waitedAt;
    for (const int rank : picture.fates.died) {
        const RankState *state = stateOf(picture, rank);
        const FailureCause cause = state ? causeOf(*state) : FailureCause::unknown;
        if (causeRole(cause) != CauseRole::victim) return {};
        waited = waited || cause == FailureCause::collectiveTimeout;
        waitedAt = std::max(waitedAt, state->progress.position);
    }
    if (!waited || picture.fates.anyRuns() || !picture.fates.leaving.empty()) return {};
    std::vector<int> silent;
    for (const std::vector<int> *some : {&picture.fates.unknown, &picture.fates.ended})
        for (const int rank : *some)
            if (const RankState *state = stateOf(picture, rank);
                state && !state->error && (some == &picture.fates.unknown || mayHaveKeptWaiting(*state, waitedAt)))
                silent.push_back(rank);
    std::sort(silent.begin(), silent.end());
    return silent;
}

}  // namespace alarm
}  // namespace rankdeck
