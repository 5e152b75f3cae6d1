// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/stop/checks/response_time.h"

#include <algorithm>
#include <map>

namespace rankdeck {

std::int64_t stepsPerLine(const JobState &view)
{
    std::map<std::int64_t, int> gaps;
    for (const RankState &rank : view.ranks)
        for (std::size_t i = 1; i < rank.firstSamples.size(); ++i)
            if (const auto gap = rank.firstSamples[i].step - rank.firstSamples[i - 1].step; gap > 0) ++gaps[gap];
    const auto most =
        std::max_element(gaps.begin(), gaps.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == gaps.end() ? 0 : most->first;
}

std::optional<double> lineSeconds(const JobState &view)
{
    if (!view.stepSeconds) return {};
    return *view.stepSeconds * static_cast<double>(std::max<std::int64_t>(1, stepsPerLine(view)));
}

std::optional<double> answerSeconds(const JobState &view, WallTime now)
{
    const auto line = lineSeconds(view);
    if (!line) return {};
    double longest = 0;
    for (const RankState &rank : view.ranks) {
        if (rank.alive.isNo() || rank.progress.heard == WallTime{}) continue;
        longest = std::max(longest, *line - secondsBetween(rank.progress.heard, now));
    }
    return longest;
}

}  // namespace rankdeck
