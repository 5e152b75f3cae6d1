// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

using Ranks = std::vector<std::size_t>;

// Adds the reason once, and the note to every affected cell.
void blameAll(SetAssessment &assessment, Verdict severity, const Ranks &ranks, MemberState state, ReasonCode code,
              const Message &text, const Message &note)
{
    for (const std::size_t rank : ranks) {
        MemberVerdict &member = assessment.set.members[rank];
        if (member.state != MemberState::ok && member.state != MemberState::missing) continue;
        member.state = state;
        member.note = note;
    }
    assessment.blame(severity, code, text,
                     ranks.size() == 1 && assessment.parts.size() > 1 ? static_cast<int>(ranks.front()) : -1);
}

const Problem *worstProblem(const Evidence &evidence)
{
    const auto &problems = evidence.problems;
    const auto grave =
        std::find_if(problems.begin(), problems.end(), [](const Problem &p) { return !isAdvice(p.code.means()); });
    if (grave != problems.end()) return &*grave;
    return problems.empty() ? nullptr : &problems.front();
}

void judgeUnread(SetAssessment &assessment, const Ranks &ranks, const Evidence &evidence, const Expectation &expected)
{
    const Problem *why = worstProblem(evidence);
    if (why && why->code == "still_growing" && expected.running) {
        blameAll(assessment, Verdict::inProgress, ranks, MemberState::inProgress, "still_growing", why->text,
                 message("growing"));
        return;
    }
    if (!why) {
        assessment.unread = true;
        for (const std::size_t rank : ranks) assessment.set.members[rank].state = MemberState::unread;
        return;
    }
    const bool known = why->code == "still_growing" || why->code == "too_many_parts";
    blameAll(assessment, Verdict::unknown, ranks, MemberState::unreadable, known ? why->code : ReasonCode("unreadable"),
             why->text, why->code == "unreachable" ? message("unreachable") : message("unreadable"));
}

MemberState stateOf(Means finding)
{
    switch (finding) {
    case Means::inconsistent: return MemberState::mismatch;
    case Means::incomplete: return MemberState::missing;
    case Means::unknown: return MemberState::unreadable;
    default: return MemberState::torn;
    }
}

Message noteOf(Means finding, ReasonCode code)
{
    switch (finding) {
    case Means::inconsistent: return message("mismatch");
    case Means::incomplete: return code == "commit_missing" ? message("not committed") : message("file missing");
    case Means::unknown: return message("unknown");
    default: return message("damaged");
    }
}

// A problem of one rank's part affects that rank's cell; any other problem affects the whole set.
void judgeIncomplete(SetAssessment &assessment, const Ranks &ranks, const Part &part, const Expectation &expected)
{
    const bool recent = expected.running && ageSeconds(*part.member, expected) < savingSeconds;
    if (part.evidence->problems.empty())
        blameAll(assessment, Verdict::corrupt, ranks, MemberState::torn, "torn", message("incomplete"),
                 message("damaged"));
    for (const Problem &problem : part.evidence->problems) {
        const Means finding = problem.code.means();
        const bool saving = recent && (finding == Means::incomplete || problem.code == "commit_stale");
        const Verdict severity = saving ? Verdict::inProgress : verdictOf(finding);
        if (isAdvice(finding)) {
            assessment.blame(severity, problem.code, problem.text, problem.rank);
            continue;
        }
        const MemberState state = saving ? MemberState::inProgress : stateOf(finding);
        const Message note = saving ? message("saving") : noteOf(finding, problem.code);
        if (problem.rank >= 0 && ranks.size() > 1 && std::size_t(problem.rank) < assessment.parts.size())
            assessment.blame(severity, std::size_t(problem.rank), state, problem.code, problem.text, note);
        else
            blameAll(assessment, severity, ranks, state, problem.code, problem.text, note);
    }
}

void judgeWhole(SetAssessment &assessment, const Ranks &ranks, const Evidence &evidence)
{
    if (!evidence.nonFiniteSeen) {
        takeAdvice(assessment, evidence, -1);
        return;
    }
    Message text = message("NaN in the weights");
    for (const Problem &problem : evidence.problems)
        if (problem.code == "nan_weights") text = problem.text;
    blameAll(assessment, Verdict::corrupt, ranks, MemberState::torn, "nan_weights", text, message("NaN weights"));
}

// "old-step-900" beside "step-100": no run will load it, and it must not be chosen by a pattern that is too general.
void judgeStranger(SetAssessment &assessment, const Member &member, const Evidence &evidence)
{
    const auto told = [](const Problem &problem) { return problem.code == "unmatched_name"; };
    if (!member.name.foreign || std::any_of(evidence.problems.begin(), evidence.problems.end(), told)) return;
    assessment.blame("unmatched_name", message("%1 is not named like the checkpoints beside it: a copy, an export or a "
                                               "leftover from another run. No run will load it",
                                               printable(baseName(member.file.path))));
}

// Only a staging directory exists, or a directory that a marker beside it calls unfinished.
void judgeStaged(SetAssessment &assessment, const Ranks &ranks, const Member &staged, const Expectation &expected)
{
    const bool alive = staged.growing || (expected.running && ageSeconds(staged, expected) < savingSeconds);
    for (const std::size_t rank : ranks) {
        MemberVerdict &out = assessment.set.members[rank];
        out.path = staged.file.path;
        out.node = staged.node;
        out.bytes = staged.file.stat.size;
        out.time = wallFromNs(staged.file.stat.mtimeNs);
    }
    const std::string name = printable(baseName(staged.file.path));
    blameAll(assessment, alive ? Verdict::inProgress : Verdict::incomplete, ranks,
             alive ? MemberState::inProgress : MemberState::missing, "temp_file",
             alive ? message("%1 is being saved, %2 so far", name, bytesText(staged.file.stat.size))
                   : message("%1 was left by a save that never finished", name),
             alive ? message("saving") : message("never finished"));
}

}  // namespace

// The same advice for many ranks is added only once.
void takeAdvice(SetAssessment &assessment, const Evidence &evidence, int rank)
{
    const auto told = [&](ReasonCode code) {
        const std::vector<Blame> &blames = assessment.findings.blames;
        return rank >= 0 && std::any_of(blames.begin(), blames.end(), [&](const Blame &b) { return b.code == code; });
    };
    for (const Problem &problem : evidence.problems) {
        const Means finding = problem.code.means();
        if (!isAdvice(finding)) continue;
        if (!told(problem.code))
            assessment.blame(problem.code, rank < 0 ? problem.text : message("rank %1 %2", rank, problem.text),
                             rank < 0 ? problem.rank : rank);
    }
    // For the files of ranks, judgeNumbers() adds it after the files are known to be complete.
    if (rank >= 0 || !isExport(evidence)) return;
    assessment.blame("weights_only", exportText);
}

void judgeComposite(SetAssessment &assessment, const std::vector<std::size_t> &ranks, const JudgeContext &context)
{
    const Part &part = assessment.parts[ranks.front()];
    const Expectation &expected = context.expected;
    if (!part.member) {
        if (part.temporary) judgeStaged(assessment, ranks, *part.temporary, expected);
        return;
    }
    const Member &member = *part.member;
    if (ageSeconds(member, expected) < -threshold::seconds(threshold::inFuture))
        assessment.blame("future_time",
                         message("%1 is dated in the future (%2): the node clock is wrong, or the file is a copy",
                                 printable(baseName(member.file.path)), isoTime(savedAt(member))));
    if (part.temporary) {
        assessment.blame(
            Verdict::validUnproven, "temp_file",
            message("both %1 and %2 exist: a save of this step was not renamed; check both before you choose",
                    printable(baseName(member.file.path)), printable(baseName(part.temporary->file.path))));
    }
    if (member.growing && expected.running) {
        blameAll(assessment, Verdict::inProgress, ranks, MemberState::inProgress, "still_growing",
                 message("%1 is still growing: %2 so far", printable(baseName(member.file.path)),
                         bytesText(member.file.stat.size)),
                 message("growing"));
        return;
    }
    const Evidence &evidence = *part.evidence;
    if (evidence.level == EvidenceLevel::L0) return judgeUnread(assessment, ranks, evidence, expected);
    if (evidence.complete == false) return judgeIncomplete(assessment, ranks, part, expected);
    assessment.set.facts = evidence.meta.all();
    if (evidence.complete.isUnknown()) {
        const Problem *why = worstProblem(evidence);
        blameAll(assessment, Verdict::unknown, ranks, MemberState::unread, why ? why->code : ReasonCode("not_read"),
                 why ? Message(why->text) : message("cannot tell whether it is complete"), message("unknown"));
        return;
    }
    if (member.file.stat.kind == 'f' && !member.name.sharedByRanks && assessment.parts.size() > 1) {
        assessment.blame(
            "one_file",
            message("only one file, and nothing in its path names a rank: treated as the file that all %1 ranks load",
                    grouped(std::int64_t(assessment.parts.size()))));
    }
    judgeStranger(assessment, member, evidence);
    judgeWhole(assessment, ranks, evidence);
}

}  // namespace rankdeck
