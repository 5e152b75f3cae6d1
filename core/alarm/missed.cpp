// SPDX-License-Identifier: GPL-3.0-or-later
// Who is gone, and whom those that are left wait for.
#include "core/alarm/rules.h"

#include <algorithm>

namespace rankdeck {
namespace {

// Whether the others stopped when it went: who makes steps for long without it does not wait for it.
bool stoppedThem(const RankState &gone, const alarm::Stall &stall)
{
    return !gone.goneSince || secondsBetween(*gone.goneSince, stall.since) < std::max(10.0, 3 * stall.usual);
}

// Who is asked to leave leaves nobody waiting; who had left before was not asked.
bool wasAskedToLeave(const RankState &gone, const std::optional<StopPicture> &stop)
{
    if (!stop || !(stop->running || stop->provenStopped)) return false;
    return !gone.goneSince || !stop->started || *gone.goneSince >= *stop->started;
}

}  // namespace

namespace alarm {

// Victims alone are nobody's reason to wait: they gave up themselves.
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

}  // namespace alarm
}  // namespace rankdeck
