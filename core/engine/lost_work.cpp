// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lost_work.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t pairsLookedAt = 32;  // the newest

// Whether a set that is newer than the newest VALID one may be VALID, too.
bool mayKnowLess(const JobState &view)
{
    if (view.job.checkpoints.path.empty()) return false;
    return !view.checkpoints.unlistedNodes.empty() ||
           std::any_of(view.nodes.begin(), view.nodes.end(),
                       [](const NodeStatus &node) { return node.state != NodeState::live; });
}

std::optional<double> perStep(std::int64_t steps, double seconds)
{
    return steps > 0 && seconds > 0 ? std::optional(seconds / static_cast<double>(steps)) : std::nullopt;
}

// From where the attempt began to this set of it; the compilation before the first step is in it.
std::optional<double> sinceStart(const JobState &view, const CheckpointSet &set)
{
    for (const AttemptInfo &info : view.attempts)
        if (info.index == set.attempt && info.started != WallTime{})
            return perStep(*set.position - info.resumedFrom.value_or(0), secondsBetween(info.started, *set.time));
    return std::nullopt;
}

double secondsOf(const JobState &view, const Run &run, std::int64_t steps, std::int64_t last)
{
    const CheckpointSet *valid = view.checkpoints.newestValid();
    const std::optional<double> usual = view.stepSeconds ? view.stepSeconds : stepSecondsOfSets(view);
    const std::optional<WallTime> lastTime = run.timeAt(last, view.attempt);
    const std::optional<WallTime> then = valid ? run.timeAt(*valid->position, valid->attempt) : std::nullopt;
    const double stepped = static_cast<double>(steps) * usual.value_or(0);
    // Times of arrival when both were seen and no pause lies between them; else the step time, which knows of none.
    const double arrivals =
        then && lastTime && *lastTime > *then && valid->attempt == view.attempt ? secondsBetween(*then, *lastTime) : 0;
    if (arrivals > 0 && (!usual || arrivals < 2 * stepped)) return arrivals;
    return stepped;
}

}  // namespace

std::optional<double> stepSecondsOfSets(const JobState &view)
{
    const SharedVector<CheckpointSet> &sets = view.checkpoints.sets;
    std::vector<double> rates;
    const CheckpointSet *newer = nullptr, *first = nullptr;
    for (const CheckpointSet &set : sets) {  // newest first
        if (!set.position || !set.time || set.verdict == Verdict::inProgress) continue;
        if (newer && newer->attempt == set.attempt)
            if (const auto rate = perStep(*newer->position - *set.position, secondsBetween(*set.time, *newer->time)))
                rates.push_back(*rate);
        if (!first || first->attempt == set.attempt) first = &set;
        newer = &set;
        if (rates.size() == pairsLookedAt) break;
    }
    if (rates.empty()) return first ? sinceStart(view, *first) : std::nullopt;
    const auto middle = rates.begin() + static_cast<std::ptrdiff_t>((rates.size() - 1) / 2);
    std::nth_element(rates.begin(), middle, rates.end());
    return *middle;
}

LostWork lostWorkOf(const JobState &view, const Run &run)
{
    LostWork lost;
    const std::optional<std::int64_t> last = run.lastPosition();
    if (!last) return lost;
    const CheckpointSet *valid = view.checkpoints.newestValid();
    if (valid && !valid->position) return lost;
    lost.known = view.checkpoints.settled || valid;
    lost.atMost = mayKnowLess(view);
    lost.since = valid ? valid->position : std::nullopt;
    lost.steps = std::max<std::int64_t>(0, *last - (valid ? *valid->position : 0));
    lost.seconds = secondsOf(view, run, lost.steps, *last);
    lost.deviceHours = lost.seconds * view.job.ranks() / 3600;
    return lost;
}

}  // namespace rankdeck
