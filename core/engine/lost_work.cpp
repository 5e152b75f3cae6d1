// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lost_work.h"

#include "core/state/step_time.h"

#include <algorithm>

namespace rankdeck {
namespace {

// True if a set that is newer than the newest VALID one may also be VALID.
bool mayKnowLess(const JobState &view)
{
    if (view.job.checkpoints.path.empty()) return false;
    return !view.checkpoints.unlistedNodes.empty() ||
           std::any_of(view.nodes.begin(), view.nodes.end(),
                       [](const NodeStatus &node) { return node.state != NodeState::live; });
}

// Time of the last sign of the ranks that may still train, if none of them is reachable now.
std::optional<WallTime> heardLast(const JobState &view)
{
    std::optional<WallTime> last;
    for (const RankState &rank : view.ranks) {
        if (rank.alive.isYes()) return std::nullopt;
        if (rank.alive.isUnknown() && rank.seenAlive && rank.progress.attempt == view.attempt)
            last = std::max(last.value_or(rank.progress.heard), rank.progress.heard);
    }
    return last;
}

struct Saved {  // the set to which a resume would go back
    int attempt = 0;
    std::int64_t position = 0;
};

double secondsOf(const JobState &view, const Run &run, std::int64_t steps, std::int64_t last,
                 const std::optional<Saved> &saved)
{
    const std::optional<double> usual = view.stepSeconds ? view.stepSeconds : stepSecondsOfSets(view);
    const std::optional<WallTime> lastTime = run.timeAt(last, view.attempt);
    const std::optional<WallTime> then = saved ? run.timeAt(saved->position, saved->attempt) : std::nullopt;
    const double stepped = static_cast<double>(steps) * usual.value_or(0);
    // The difference between the times of arrival, if both were seen and there was no pause between them. Otherwise the
    // step time, which does not include pauses.
    const double arrivals =
        then && lastTime && *lastTime > *then && saved->attempt == view.attempt ? secondsBetween(*then, *lastTime) : 0;
    if (arrivals > 0 && (!usual || arrivals < 2 * stepped)) return arrivals;
    return stepped;
}

}  // namespace

LostWork lostWorkOf(const JobState &view, const Run &run)
{
    LostWork lost;
    // Before its first step, an attempt is at the step from which it was resumed.
    std::optional<std::int64_t> last = run.lastPosition();
    if (!last && !view.attempts.empty()) last = view.attempts.back().resumedFrom;
    if (!last) return lost;
    const CheckpointSet *valid = view.checkpoints.newestValid();
    if (valid && !valid->position) return lost;
    std::optional<Saved> saved;
    if (valid) saved = {valid->attempt, *valid->position};
    if (const KeptSet *kept = keptBefore(view)) {
        saved = {kept->attempt, *kept->position};
        lost.fromKept = true;
    }
    lost.known = view.checkpoints.settled || saved;
    lost.atMost = mayKnowLess(view);
    // If no set is known, a set on a silent node may be VALID, so only an upper limit is known.
    if (saved) lost.asOf = heardLast(view);
    if (saved) lost.since = saved->position;
    lost.steps = std::max<std::int64_t>(0, *last - lost.since.value_or(0));
    lost.seconds = secondsOf(view, run, lost.steps, *last, saved);
    lost.deviceHours = lost.seconds * view.job.ranks() / 3600;
    return lost;
}

}  // namespace rankdeck
