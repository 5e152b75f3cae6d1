// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/verdict/draft.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

enum class Finding { corrupt, inconsistent, incomplete, unproven, advice };

// What a reader's code means for the set. Of a checkpoint that is not complete: corrupt, where it is not here.
Finding findingOf(const std::string &code)
{
    static const std::map<std::string, Finding> findings{{"shard_missing", Finding::incomplete},
                                                         {"commit_missing", Finding::incomplete},
                                                         {"optim_missing", Finding::incomplete},
                                                         {"commit_stale", Finding::inconsistent},
                                                         {"step_mismatch", Finding::inconsistent},
                                                         {"epoch_mismatch", Finding::inconsistent},
                                                         {"world_size_mismatch", Finding::inconsistent},
                                                         {"degrees_mismatch", Finding::inconsistent},
                                                         {"attempt_mixed", Finding::inconsistent},
                                                         {"rank_mismatch", Finding::inconsistent},
                                                         {"index_mismatch", Finding::inconsistent},
                                                         {"structure_mismatch", Finding::inconsistent},
                                                         {"layers_mismatch", Finding::inconsistent},
                                                         {"step_unproven", Finding::unproven},
                                                         {"weights_only", Finding::unproven},
                                                         {"unmatched_name", Finding::unproven},
                                                         {"content_unproven", Finding::unproven},
                                                         {"commit_unproven", Finding::unproven},
                                                         {"times_apart", Finding::unproven},
                                                         {"zero_region", Finding::unproven},
                                                         {"leftover", Finding::advice},
                                                         {"mark_older", Finding::unproven},
                                                         {"dangerous_pickle", Finding::unproven},
                                                         {"no_rng", Finding::advice},
                                                         {"no_scheduler", Finding::advice},
                                                         {"loss_not_finite", Finding::advice},
                                                         {"loss_jump", Finding::advice},
                                                         {"index_total", Finding::advice},
                                                         {"crc_off", Finding::advice},
                                                         {"optimizer_anew", Finding::advice},
                                                         {"needs_python", Finding::advice}};
    const auto found = findings.find(code);
    return found == findings.end() ? Finding::corrupt : found->second;
}

bool isAdvice(Finding finding) { return finding == Finding::unproven || finding == Finding::advice; }

void mark(Findings &found, Finding finding)
{
    switch (finding) {
    case Finding::corrupt: found.corrupt = true; break;
    case Finding::inconsistent: found.inconsistent = true; break;
    case Finding::incomplete: found.incomplete = true; break;
    case Finding::unproven: found.unproven = true; break;
    case Finding::advice: break;
    }
}

using Ranks = std::vector<std::size_t>;

// Told once, shown in every cell that it concerns.
void blameAll(Draft &draft, const Ranks &ranks, MemberState state, const std::string &code, const std::string &text,
              const std::string &note)
{
    for (const std::size_t rank : ranks) {
        MemberVerdict &member = draft.set.members[rank];
        if (member.state != MemberState::ok && member.state != MemberState::missing) continue;
        member.state = state;
        member.note = note;
    }
    draft.say(code, text, ranks.size() == 1 && draft.parts.size() > 1 ? static_cast<int>(ranks.front()) : -1);
}

const Problem *firstProblem(const Evidence &evidence)
{
    const auto &problems = evidence.problems;
    const auto grave =
        std::find_if(problems.begin(), problems.end(), [](const Problem &p) { return !isAdvice(findingOf(p.code)); });
    if (grave != problems.end()) return &*grave;
    return problems.empty() ? nullptr : &problems.front();
}

void judgeUnread(Draft &draft, const Ranks &ranks, const Evidence &evidence, const Expectation &expected)
{
    const Problem *why = firstProblem(evidence);
    if (why && why->code == "still_growing" && expected.running) {
        draft.found.inProgress = true;
        blameAll(draft, ranks, MemberState::inProgress, "still_growing", why->text, "growing");
        return;
    }
    draft.found.unknown = true;
    if (!why) {
        draft.unread = true;
        for (const std::size_t rank : ranks) draft.set.members[rank].state = MemberState::unread;
        return;
    }
    const bool known = why->code == "still_growing" || why->code == "too_many_parts";
    blameAll(draft, ranks, MemberState::unreadable, known ? why->code : "unreadable", why->text,
             why->code == "unreachable" ? "unreachable" : "unreadable");
}

MemberState stateOf(Finding finding)
{
    switch (finding) {
    case Finding::inconsistent: return MemberState::mismatch;
    case Finding::incomplete: return MemberState::missing;
    default: return MemberState::torn;
    }
}

const char *noteOf(Finding finding, const std::string &code)
{
    switch (finding) {
    case Finding::inconsistent: return "mismatch";
    case Finding::incomplete: return code == "commit_missing" ? "not committed" : "file missing";
    default: return "damaged";
    }
}

// A problem of one rank's part blames that cell, all others the whole.
void judgeIncomplete(Draft &draft, const Ranks &ranks, const Part &part, const Expectation &expected)
{
    const bool recent = expected.running && ageSeconds(*part.member, expected) < savingSeconds;
    if (part.evidence->problems.empty()) {
        draft.found.corrupt = true;
        blameAll(draft, ranks, MemberState::torn, "torn", "not whole", "damaged");
    }
    for (const Problem &problem : part.evidence->problems) {
        const Finding finding = findingOf(problem.code);
        const bool saving = recent && (finding == Finding::incomplete || problem.code == "commit_stale");
        if (saving)
            draft.found.inProgress = true;
        else
            mark(draft.found, finding);
        if (isAdvice(finding)) {
            draft.say(problem.code, problem.text, problem.rank);
            continue;
        }
        const MemberState state = saving ? MemberState::inProgress : stateOf(finding);
        const std::string note = saving ? "saving" : noteOf(finding, problem.code);
        if (problem.rank >= 0 && ranks.size() > 1 && std::size_t(problem.rank) < draft.parts.size())
            draft.blame(std::size_t(problem.rank), state, problem.code, problem.text, note);
        else
            blameAll(draft, ranks, state, problem.code, problem.text, note);
    }
}

void judgeWhole(Draft &draft, const Ranks &ranks, const Evidence &evidence)
{
    if (!evidence.nonFiniteSeen) {
        takeAdvice(draft, evidence, -1);
        return;
    }
    draft.found.corrupt = true;
    std::string text = "NaN in the weights";
    for (const Problem &problem : evidence.problems)
        if (problem.code == "nan_weights") text = problem.text;
    blameAll(draft, ranks, MemberState::torn, "nan_weights", text, "NaN weights");
}

// "old-step-900" beside "step-100": no run will look there, and no loose pattern may pick it.
void judgeStranger(Draft &draft, const Member &member, const Evidence &evidence)
{
    const auto told = [](const Problem &problem) { return problem.code == "unmatched_name"; };
    if (!member.name.stranger || std::any_of(evidence.problems.begin(), evidence.problems.end(), told)) return;
    draft.found.unproven = true;
    draft.say("unmatched_name", printable(baseName(member.file.path)) +
                                    " is not named as the checkpoints beside it are: a copy, an export or what "
                                    "another run left, and no run will look there");
}

// Only a staging directory, or one that a marker beside it calls unfinished.
void judgeStaged(Draft &draft, const Ranks &ranks, const Member &staged, const Expectation &expected)
{
    const bool alive = expected.running && (staged.growing || ageSeconds(staged, expected) < savingSeconds);
    for (const std::size_t rank : ranks) {
        MemberVerdict &out = draft.set.members[rank];
        out.path = staged.file.path;
        out.node = staged.node;
        out.bytes = staged.file.stat.size;
        out.time = wallFromNs(staged.file.stat.mtimeNs);
    }
    (alive ? draft.found.inProgress : draft.found.incomplete) = true;
    blameAll(draft, ranks, alive ? MemberState::inProgress : MemberState::missing, "temp_file",
             printable(baseName(staged.file.path)) +
                 (alive ? " is being saved, " + bytesText(staged.file.stat.size) + " so far"
                        : " was left by a save that never ended"),
             alive ? "saving" : "never ended");
}

}  // namespace

// The same of many ranks is told once.
void takeAdvice(Draft &draft, const Evidence &evidence, int rank)
{
    const auto told = [&](const std::string &code) {
        return rank >= 0 && std::any_of(draft.set.reasons.begin(), draft.set.reasons.end(),
                                        [&](const Reason &r) { return r.code == code; });
    };
    for (const Problem &problem : evidence.problems) {
        const Finding finding = findingOf(problem.code);
        if (!isAdvice(finding)) continue;
        mark(draft.found, finding);
        if (!told(problem.code))
            draft.say(problem.code, (rank < 0 ? "" : "rank " + std::to_string(rank) + " ") + problem.text,
                      rank < 0 ? problem.rank : rank);
    }
    // Of files of ranks it is told when they are known to be whole, by judgeNumbers().
    if (rank >= 0 || !isExport(evidence)) return;
    draft.found.unproven = true;
    draft.say("weights_only", exportText);
}

void judgeComposite(Draft &draft, const std::vector<std::size_t> &ranks, const JudgeContext &context)
{
    const Part &part = draft.parts[ranks.front()];
    const Expectation &expected = context.expected;
    if (!part.member) {
        if (part.temporary) judgeStaged(draft, ranks, *part.temporary, expected);
        return;
    }
    const Member &member = *part.member;
    if (ageSeconds(member, expected) < -300)
        draft.say("future_time", printable(baseName(member.file.path)) + " has a time in the future, " +
                                     isoTime(wallFromNs(member.file.stat.mtimeNs)) + ": the node's clock or a copy");
    if (part.temporary) {
        draft.found.unproven = true;
        draft.say("temp_file", "both " + printable(baseName(member.file.path)) + " and " +
                                   printable(baseName(part.temporary->file.path)) +
                                   " are there: a save of this step was not renamed; look at both before choosing");
    }
    if (member.growing && expected.running) {
        draft.found.inProgress = true;
        blameAll(draft, ranks, MemberState::inProgress, "still_growing",
                 printable(baseName(member.file.path)) + " grows: " + bytesText(member.file.stat.size) + " so far",
                 "growing");
        return;
    }
    const Evidence &evidence = *part.evidence;
    if (evidence.level == EvidenceLevel::L0) return judgeUnread(draft, ranks, evidence, expected);
    if (evidence.complete == false) return judgeIncomplete(draft, ranks, part, expected);
    draft.set.facts = evidence.meta.all();
    if (!evidence.complete) {
        draft.found.unknown = true;
        const Problem *why = firstProblem(evidence);
        blameAll(draft, ranks, MemberState::unread, why ? why->code : "not_read",
                 why ? why->text : "not known whether it is whole", "not known");
        return;
    }
    if (member.file.stat.kind == 'f' && !member.name.everyRank && draft.parts.size() > 1) {
        draft.found.unproven = true;
        draft.say("one_file", "one file and nothing in its path that says whose it is: taken for what all " +
                                  grouped(std::int64_t(draft.parts.size())) + " ranks load");
    }
    judgeStranger(draft, member, evidence);
    judgeWhole(draft, ranks, evidence);
}

}  // namespace rankdeck
