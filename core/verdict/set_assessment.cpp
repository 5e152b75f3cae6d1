// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/set_assessment.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t maxReasons = 200;

Verdict verdictOf(const SetFaults &f)
{
    if (f.inProgress) return Verdict::inProgress;
    if (f.corrupt) return Verdict::corrupt;
    if (f.inconsistent) return Verdict::inconsistent;
    if (f.incomplete) return Verdict::incomplete;
    if (f.unknown) return Verdict::unknown;
    return f.unproven ? Verdict::validUnproven : Verdict::valid;
}

}  // namespace

void SetAssessment::addReason(std::size_t rank, MemberState state, ReasonCode code, std::string text, std::string note)
{
    MemberVerdict &member = set.members[rank];
    if (member.state == MemberState::ok || (member.state == MemberState::missing && !parts[rank].member)) {
        member.state = state;
        member.note = std::move(note);
    }
    addReason(code, std::move(text), static_cast<int>(rank));
}

void SetAssessment::addReason(ReasonCode code, std::string text, int rank)
{
    if (set.reasons.size() < maxReasons) set.reasons.push_back({code, rank, std::move(text)});
}

double ageSeconds(const Member &member, const Expectation &expected)
{
    return secondsBetween(savedAt(member), expected.now);
}

void conclude(SetAssessment &assessment)
{
    assessment.set.verdict = verdictOf(assessment.found);
    std::stable_sort(assessment.set.reasons.begin(), assessment.set.reasons.end(),
                     [](const Reason &a, const Reason &b) { return a.code.order() < b.code.order(); });
}

}  // namespace rankdeck
