// SPDX-License-Identifier: GPL-3.0-or-later
// epoch_3.pt says epoch 3, or 2 where the script counts from 0, or 4 where it stores the next one: the same in all of a
// run's files. One that differs from the others in this holds another epoch than its name says.
#include "core/base/text.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

struct Said {
    std::size_t set = 0;
    std::int64_t named = 0, held = 0;
};

// What the first whole file says; that all say the same is another rule's.
std::optional<std::int64_t> epochWithin(const SetAssessment &assessment)
{
    for (const Part &part : assessment.parts)
        if (part.evidence && part.evidence->complete == true) return part.evidence->number("epoch");
    return std::nullopt;
}

std::optional<std::int64_t> epochOfName(const SetAssessment &assessment)
{
    for (const Part &part : assessment.parts)
        if (part.member) return part.member->name.epoch;
    return std::nullopt;
}

void blame(SetAssessment &assessment, const Said &said, bool sure)
{
    (sure ? assessment.found.inconsistent : assessment.found.unproven) = true;
    assessment.addReason("epoch_mismatch", "the name says epoch " + grouped(said.named) + ", the content epoch " +
                                               grouped(said.held) +
                                               (sure ? ": the others of this run differ from their names in another way"
                                                     : ", as that of another file does"));
    conclude(assessment);
}

}  // namespace

void judgeEpochs(std::vector<SetAssessment> &assessments)
{
    using Key = std::tuple<std::string, std::string, int, CheckpointKind>;
    std::map<Key, std::vector<Said>> runs;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        const auto named = epochOfName(assessment), held = epochWithin(assessment);
        if (!named || !held || assessment.parts.empty()) continue;
        const auto first = std::find_if(assessment.parts.begin(), assessment.parts.end(),
                                        [](const Part &part) { return part.member != nullptr; });
        runs[{dirName(first->member->series), assessment.prefix, assessment.set.attempt, assessment.set.kind}]
            .push_back({i, *named, *held});
    }
    for (const auto &[key, all] : runs) {
        std::map<std::int64_t, std::size_t> offsets;
        for (const Said &said : all) ++offsets[said.held - said.named];
        if (offsets.size() < 2) continue;
        const auto usual = std::max_element(offsets.begin(), offsets.end(),
                                            [](const auto &a, const auto &b) { return a.second < b.second; });
        const bool sure = usual->second > 1 && 2 * usual->second > all.size();
        for (const Said &said : all) {
            const bool twice = std::any_of(all.begin(), all.end(), [&](const Said &other) {
                return other.set != said.set && other.held == said.held && other.named != said.named;
            });
            if (sure ? said.held - said.named != usual->first : twice) blame(assessments[said.set], said, sure);
        }
    }
}

}  // namespace rankdeck
