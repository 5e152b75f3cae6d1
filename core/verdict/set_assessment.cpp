// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/set_assessment.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t maxReasons = 200;

// Lower is worse: what decides comes first, advice last.
int weight(const std::string &code)
{
    static const std::vector<std::string> order{
        "commit_missing",   "shard_missing",    "optim_missing",    "commit_stale",  "torn",
        "zero_tail",        "crc_bad",          "not_a_checkpoint", "nan_weights",   "structure_mismatch",
        "layers_mismatch",  "step_mismatch",    "epoch_mismatch",   "rank_mismatch", "world_size_mismatch",
        "degrees_mismatch", "index_mismatch",   "attempt_mixed",    "run_mismatch",  "replica_mismatch",
        "path_refused",     "tracker_conflict", "temp_file",        "still_growing", "rank_missing",
        "pruned",           "replica_missing",  "unreadable",       "encrypted",     "not_read"};
    const auto at = std::find(order.begin(), order.end(), code);
    return static_cast<int>(at - order.begin());
}

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

void SetAssessment::addReason(std::size_t rank, MemberState state, std::string code, std::string text, std::string note)
{
    MemberVerdict &member = set.members[rank];
    if (member.state == MemberState::ok || (member.state == MemberState::missing && !parts[rank].member)) {
        member.state = state;
        member.note = std::move(note);
    }
    addReason(std::move(code), std::move(text), static_cast<int>(rank));
}

void SetAssessment::addReason(std::string code, std::string text, int rank)
{
    if (set.reasons.size() < maxReasons) set.reasons.push_back({std::move(code), rank, std::move(text)});
}

double ageSeconds(const Member &member, const Expectation &expected)
{
    return secondsBetween(wallFromNs(member.file.stat.mtimeNs), expected.now);
}

void conclude(SetAssessment &assessment)
{
    assessment.set.verdict = verdictOf(assessment.found);
    std::stable_sort(assessment.set.reasons.begin(), assessment.set.reasons.end(),
                     [](const Reason &a, const Reason &b) { return weight(a.code) < weight(b.code); });
}

}  // namespace rankdeck
