// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace rankdeck {
namespace {

constexpr std::size_t maxReasons = 200;

// The verdict with the highest value decides.
int gravity(Verdict verdict)
{
    switch (verdict) {
    case Verdict::valid: return 0;
    case Verdict::validUnproven: return 1;
    case Verdict::unknown: return 2;
    case Verdict::incomplete: return 3;
    case Verdict::inconsistent: return 4;
    case Verdict::corrupt: return 5;
    case Verdict::inProgress: break;
    }
    return 6;
}

void applyStates(SetAssessment &assessment)
{
    Findings &findings = assessment.findings;
    const auto added = findings.blames.begin() + std::ptrdiff_t(findings.concluded);
    std::stable_sort(added, findings.blames.end(), [](const Blame &a, const Blame &b) { return a.law < b.law; });
    std::for_each(added, findings.blames.end(), [&](const Blame &blame) {
        if (blame.state == MemberState::ok) return;
        const auto rank = static_cast<std::size_t>(blame.rank);
        MemberVerdict &member = assessment.set.members[rank];
        if (member.state == MemberState::ok ||
            (member.state == MemberState::missing && !assessment.parts[rank].member)) {
            member.state = blame.state;
            member.note = blame.note;
        }
    });
    findings.concluded = findings.blames.size();
}

void applyExplanations(Findings &findings)
{
    for (const Explanation &explanation : findings.explanations)
        for (Blame &blame : findings.blames)
            if (blame.code == explanation.code) {
                blame.severity = Verdict::valid;
                blame.text = message("%1%2", blame.text, explanation.text);
            }
    findings.explanations.clear();
}

void applyPoint(SetAssessment &assessment)
{
    if (const std::optional<SavePoint> point = std::exchange(assessment.findings.point, {})) {
        assessment.set.epoch = point->epoch;
        assessment.set.step = point->step;
        assessment.set.globalStep = point->globalStep;
    }
}

// In the order of the codes.
std::vector<const Blame *> distinctBlames(const Findings &findings)
{
    std::set<int> blamed;  // ranks
    for (const Blame &blame : findings.blames)
        if (blame.state != MemberState::ok) blamed.insert(blame.rank);
    std::vector<const Blame *> all;
    std::map<std::pair<const ReasonRow *, int>, std::size_t> said;
    for (const Blame &blame : findings.blames) {
        if (blame.severity == Verdict::validUnproven && blamed.count(blame.about) != 0) continue;
        if (said.try_emplace({&blame.code.row(), blame.rank}, blame.law).first->second == blame.law)
            all.push_back(&blame);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Blame *a, const Blame *b) { return a->code.order() < b->code.order(); });
    return all;
}

}  // namespace

Blame &SetAssessment::blame(ReasonCode code, Message text, int rank) const
{
    blame(verdictOf(code.means()), code, std::move(text), rank);
    return findings.blames.back();
}

void SetAssessment::blame(Verdict severity, ReasonCode code, Message text, int rank) const
{
    findings.blames.push_back({severity, code, rank, std::move(text), MemberState::ok, {}, findings.law, rank});
}

void SetAssessment::blame(std::size_t rank, MemberState state, ReasonCode code, Message text, Message note) const
{
    blame(verdictOf(code.means()), rank, state, code, std::move(text), std::move(note));
}

void SetAssessment::blame(Verdict severity, std::size_t rank, MemberState state, ReasonCode code, Message text,
                          Message note) const
{
    findings.blames.push_back({severity, code, static_cast<int>(rank), std::move(text), state, std::move(note),
                               findings.law, static_cast<int>(rank)});
}

void SetAssessment::explain(ReasonCode code, Message text) const
{
    findings.explanations.push_back({code, std::move(text)});
}

double ageSeconds(const Member &member, const Expectation &expected)
{
    return secondsBetween(savedAt(member), expected.now);
}

void conclude(SetAssessment &assessment)
{
    applyPoint(assessment);
    applyStates(assessment);
    applyExplanations(assessment.findings);
    CheckpointSet &set = assessment.set;
    set.verdict = Verdict::valid;
    set.reasons.clear();
    for (const Blame *blame : distinctBlames(assessment.findings)) {
        if (gravity(blame->severity) > gravity(set.verdict)) set.verdict = blame->severity;
        if (set.reasons.size() < maxReasons)
            set.reasons.push_back({blame->code, blame->rank, blame->text, blame->severity});
    }
}

}  // namespace rankdeck
