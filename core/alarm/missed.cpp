// SPDX-License-Identifier: GPL-3.0-or-later
// Search for ended ranks for which the remaining ranks wait.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr double afterTheLast = 10;  // seconds; ranks that wait in one collective give up at about the same time

// True if the rank failed only after an unusually long silence. A collective reports "Wait receiving failed" both after
// its time-out and immediately when a peer died.
bool gaveUp(const RankState &rank, const Picture &picture)
{
    const WallTime heard = rank.progress.heard;
    return rank.error && heard != WallTime{} &&
           secondsBetween(heard, rank.error->time) >= alarm::patience(rank, picture.view);
}

// The same for a console that started later. The last write to a dead rank's log is its error. The silence before that
// error is seen in the log of a rank that still runs, made as many steps and logged no error.
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

// True if the other ranks stopped when this one ended. Ranks that go on making steps do not wait for it.
bool stoppedThem(const RankState &gone, const alarm::Stall &stall)
{
    return !gone.goneSince || secondsBetween(*gone.goneSince, stall.since) < std::max(10.0, 3 * stall.usual);
}

// True for ranks that a stop request ended: no rank waits for them. Ranks that ended before the request were not asked.
bool wasAskedToLeave(const RankState &gone, const std::optional<StopPicture> &stop)
{
    if (!stop || !(stop->running || stop->provenStopped)) return false;
    return !gone.goneSince || !stop->started || *gone.goneSince >= *stop->started;
}

// True if a rank that ended without an error may have kept the others waiting. False if it had made more steps than
// they have, or had reached the end of its training.
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

// If all dead ranks are victims, no rank waits for them: they gave up themselves.
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

// A closed connection shows a death, which other ranks may notice next. If some ranks are on silent nodes, nothing
// shows for which rank the others waited. If several ranks remain, they may be about to give up as well, until some
// seconds after the last one gave up.
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

// All dead ranks gave up waiting for a rank that reports no error and is not seen to run. As long as a rank is about to
// end, its last lines may still name the cause.
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
