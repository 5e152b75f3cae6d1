// SPDX-License-Identifier: GPL-3.0-or-later
// Check of objects that a script registered with Accelerate. They have no step, but often count with the training. Then
// the count has the same ratio to the step in all saves of the run, or the same difference. An object with the count of
// another save belongs to that save.
#include "core/base/text.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace rankdeck {
namespace {

constexpr std::string_view countStart = "count.";

struct Count {
    std::size_t set = 0;
    std::int64_t step = 0, value = 0;
};

// Counts of each run and each counting object.
using Counts = std::map<std::pair<std::string, std::string>, std::vector<Count>>;

Counts countsOf(const std::vector<SetAssessment> &assessments)
{
    Counts out;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        const Member *member = assessment.parts.empty() ? nullptr : assessment.parts.front().member;
        const std::int64_t step = assessment.set.globalStep.value_or(0);
        if (!member || !assessment.sharedByRanks || step <= 0) continue;
        for (const auto &[key, text] : assessment.set.facts)
            if (const auto value = key.starts_with(countStart) ? decimal(text) : std::nullopt; value && *value > 0)
                out[{member->series, key}].push_back({i, step, *value});
    }
    return out;
}

bool goTogether(const Count &a, const Count &b)
{
    const bool perStep = a.value % a.step == 0 && b.value % b.step == 0 && a.value / a.step == b.value / b.step;
    return perStep || a.value - a.step == b.value - b.step;
}

bool isOfAnother(const std::vector<Count> &all, std::size_t at)
{
    const std::size_t reference = at == 0 ? 1 : 0;
    bool another = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == at) continue;
        if (!goTogether(all[i], all[reference]) || goTogether(all[i], all[at])) return false;
        another = another || all[i].value == all[at].value;
    }
    return another;
}

}  // namespace

void judgeCounts(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    for (const auto &[key, all] : countsOf(assessments)) {
        if (all.size() < 3) continue;
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (!isOfAnother(all, at)) continue;
            const SetAssessment &assessment = assessments[all[at].set];
            assessment.blame("step_unproven", message("%1 has counted %2 at step %3, the same as in another save. In "
                                                      "all other saves the count grows with the steps",
                                                      printable(key.second.substr(countStart.size())),
                                                      grouped(all[at].value), grouped(all[at].step)));
        }
    }
}

}  // namespace rankdeck
