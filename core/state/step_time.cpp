// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/step_time.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t pairsLookedAt = 32;  // the newest

std::optional<double> perStep(std::int64_t steps, double seconds)
{
    return steps > 0 && seconds > 0 ? std::optional(seconds / static_cast<double>(steps)) : std::nullopt;
}

// Step time from the start of the attempt to this set of it. It includes the compilation before the first step.
std::optional<double> sinceStart(const JobState &view, const CheckpointSet &set)
{
    for (const AttemptInfo &info : view.attempts)
        if (info.index == set.attempt && info.started != WallTime{})
            return perStep(*set.position - info.resumedFrom.value_or(0), secondsBetween(info.started, *set.time));
    return std::nullopt;
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

}  // namespace rankdeck
