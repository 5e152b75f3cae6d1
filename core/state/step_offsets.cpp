// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/step_offsets.h"

#include <algorithm>

namespace rankdeck {
namespace {

bool isSavedByIt(const CheckpointSet &set, const AttemptInfo &attempt, bool first)
{
    constexpr std::chrono::seconds coarse{1};  // times of files
    return first || !set.time || *set.time + coarse >= attempt.started;
}

// MindSpore's global_step is the counter of the optimizer. If a script loads only weights, this counter restarts while
// the epochs continue. To detect that, the counter at the start of the attempt is computed: the set's count minus the
// attempt's own steps before the set. If the log prints only some steps, the first few of these are missing.
bool countsAnew(const CheckpointSet &set, const AttemptInfo &attempt, std::int64_t position)
{
    if (!attempt.resumedFrom) return false;
    if (*set.globalStep <= *attempt.resumedFrom) return true;
    if (!attempt.firstStep) return false;
    const std::int64_t own = position - (*attempt.firstStep - attempt.stepOffset) + 1;
    return 2 * (*set.globalStep - own) < *attempt.resumedFrom;
}

}  // namespace

std::map<int, std::int64_t> stepOffsetsOf(const CheckpointReport &report, const std::vector<AttemptInfo> &attempts,
                                          const NominalPosition &nominal)
{
    std::map<int, std::int64_t> offsets;
    for (const CheckpointSet &set : report.sets) {  // newest first
        const bool tells =
            set.kind == CheckpointKind::periodic && set.verdict == Verdict::valid && set.globalStep.value_or(0) > 0;
        if (!tells || offsets.count(set.attempt)) continue;
        const auto at = std::find_if(attempts.begin(), attempts.end(),
                                     [&](const AttemptInfo &attempt) { return attempt.index == set.attempt; });
        if (at == attempts.end() || !isSavedByIt(set, *at, at == attempts.begin())) continue;
        const std::optional<std::int64_t> position = nominal(set);
        if (position && !countsAnew(set, *at, *position)) offsets[set.attempt] = *set.globalStep - *position;
    }
    return offsets;
}

}  // namespace rankdeck
