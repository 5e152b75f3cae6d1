// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/verdict/draft.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace rankdeck {
namespace {

constexpr double staggerSeconds = 15;  // ranks save within this of each other, as a rule

std::string rankText(std::size_t rank) { return "rank " + std::to_string(rank); }

// "; the others saved 03:12:07 to 03:12:31"
std::string othersSaved(const Draft &draft)
{
    std::optional<WallTime> first, last;
    for (std::size_t rank = 0; rank < draft.parts.size(); ++rank) {
        if (!draft.parts[rank].member) continue;
        const WallTime at = *draft.set.members[rank].time;
        first = first ? std::min(*first, at) : at;
        last = last ? std::max(*last, at) : at;
    }
    if (!first) return {};
    const std::string from = clockTime(*first), to = clockTime(*last);
    return "; the others saved " + (from == to ? "at " + from : from + " to " + to);
}

// Up to 2.3 MindSpore writes in place with mode 0600 and makes it 0400 at the end; later it renames.
bool mayStillBeWritten(const Member &member, const Expectation &expected)
{
    return expected.running && (member.file.stat.mode & 0777) == 0600 && ageSeconds(member, expected) < savingSeconds;
}

std::uint64_t usualSize(const Draft &draft)
{
    std::map<std::uint64_t, int> sizes;
    for (const Part &part : draft.parts)
        if (part.evidence && part.evidence->complete == true) ++sizes[part.evidence->stat.size];
    std::uint64_t best = 0;
    int count = 0;
    for (const auto &[size, times] : sizes)
        if (times > count) {
            best = size;
            count = times;
        }
    return best;
}

// What is the same for all ranks of the set.
struct SetFacts {
    std::uint64_t usual = 0;  // size of most of its whole files
    bool pruned = false;
    double youngest = 1e18;   // age of its newest file
    std::string others = {};  // when the ranks that have one saved
};

void judgeMissing(Draft &draft, std::size_t rank, const JudgeContext &context, const SetFacts &facts)
{
    const Part &part = draft.parts[rank];
    MemberVerdict &out = draft.set.members[rank];
    if (part.temporary) {
        const Member &tmp = *part.temporary;
        const bool alive =
            context.expected.running && (tmp.growing || ageSeconds(tmp, context.expected) < savingSeconds);
        out.path = tmp.file.path;
        out.node = tmp.node;
        out.bytes = tmp.file.stat.size;
        out.time = wallFromNs(tmp.file.stat.mtimeNs);
        draft.found.inProgress = draft.found.inProgress || alive;
        draft.found.incomplete = draft.found.incomplete || !alive;
        draft.blame(rank, alive ? MemberState::inProgress : MemberState::missing, "temp_file",
                    rankText(rank) + (alive ? " is being saved: only " : " has only ") +
                        printable(baseName(tmp.file.path)) + ", " + bytesText(tmp.file.stat.size) +
                        (alive ? " so far" : ", left by a save that never ended"),
                    alive ? "saving" : "only a .tmp");
        return;
    }
    const auto unlisted = context.inventory.unlisted.find(static_cast<int>(rank));
    if (unlisted != context.inventory.unlisted.end()) {
        draft.found.unknown = true;
        draft.blame(rank, MemberState::unreadable, "unreadable",
                    rankText(rank) + " could not be listed: " + unlisted->second, "not listed");
        return;
    }
    if (facts.pruned) {
        draft.found.incomplete = true;
        draft.blame(rank, MemberState::missing, "pruned", rankText(rank) + " has no file any more: retention took it",
                    "pruned");
        return;
    }
    const bool coming =
        context.expected.running && facts.youngest < staggerSeconds && draft.set.kind == CheckpointKind::periodic;
    draft.found.inProgress = draft.found.inProgress || coming;
    draft.found.incomplete = draft.found.incomplete || !coming;
    draft.blame(rank, MemberState::missing, "rank_missing",
                rankText(rank) + " has no file" + (coming ? " yet" : "") + facts.others, "no file");
}

const Problem *firstProblem(const Evidence &evidence)
{
    return evidence.problems.empty() ? nullptr : &evidence.problems.front();
}

void judgeUnread(Draft &draft, std::size_t rank, const Expectation &expected)
{
    const Part &part = draft.parts[rank];
    const Problem *why = firstProblem(*part.evidence);
    if (why && why->code == "still_growing" && expected.running) {
        draft.found.inProgress = true;
        draft.blame(rank, MemberState::inProgress, "still_growing", rankText(rank) + ": " + why->text, "growing");
        return;
    }
    draft.found.unknown = true;
    if (!why) {
        draft.unread = true;
        draft.set.members[rank].state = MemberState::unread;
        return;
    }
    draft.blame(rank, MemberState::unreadable, why->code == "still_growing" ? why->code : "unreadable",
                rankText(rank) + ": " + why->text, why->code == "unreachable" ? "unreachable" : "unreadable");
}

void judgeBroken(Draft &draft, std::size_t rank, const Expectation &expected, std::uint64_t usual)
{
    const Part &part = draft.parts[rank];
    const Problem *why = firstProblem(*part.evidence);
    const std::uint64_t size = part.evidence->stat.size;
    if (mayStillBeWritten(*part.member, expected)) {
        draft.found.inProgress = true;
        draft.blame(rank, MemberState::inProgress, "still_growing",
                    rankText(rank) + " is still being written: " + bytesText(size) + " so far, mode 0600", "saving");
        return;
    }
    draft.found.corrupt = true;
    const std::string code = why ? why->code : "torn";
    std::string text = rankText(rank) + ": " + (why ? why->text : size == 0 ? "0 bytes" : "not a whole file");
    std::string note = code == "not_a_checkpoint" ? "not a checkpoint" : size == 0 ? "0 bytes" : "damaged";
    if (size < usual && size != 0) {
        note = bytesText(usual - size) + " short";
        text += " (" + grouped(std::int64_t(size)) + " bytes, the others have " + grouped(std::int64_t(usual)) + ")";
    }
    draft.blame(rank, MemberState::torn, code, text, note);
}

// True: nothing more is to be said of it.
bool judgeOddFile(Draft &draft, std::size_t rank, const Expectation &expected, std::uint64_t usual)
{
    const FileEntry &file = draft.parts[rank].member->file;
    if (!file.error.empty()) {
        draft.found.unknown = true;
        draft.blame(rank, MemberState::unreadable, "unreadable", rankText(rank) + " could not be read: " + file.error,
                    "unreadable");
        return true;
    }
    if (draft.parts[rank].member->growing && expected.running) {
        draft.found.inProgress = true;
        draft.blame(rank, MemberState::inProgress, "still_growing",
                    rankText(rank) + " grows: " + bytesText(file.stat.size) + " so far", "growing");
        return true;
    }
    if (file.stat.size != 0) return false;
    judgeBroken(draft, rank, expected, usual);
    return true;
}

void judgePresent(Draft &draft, std::size_t rank, const Expectation &expected, std::uint64_t usual)
{
    const Evidence &evidence = *draft.parts[rank].evidence;
    const WallTime time = *draft.set.members[rank].time;
    if (secondsBetween(time, expected.now) < -300)
        draft.say("future_time",
                  rankText(rank) + " has a time in the future, " + isoTime(time) + ": the node's clock or a copy",
                  static_cast<int>(rank));
    if (!draft.parts[rank].plain && judgeOddFile(draft, rank, expected, usual)) return;
    if (evidence.level == EvidenceLevel::L0) return judgeUnread(draft, rank, expected);
    if (evidence.complete == false || evidence.crc == Evidence::Crc::bad)
        return judgeBroken(draft, rank, expected, usual);
    if (evidence.encrypted || !evidence.complete) {
        draft.found.unknown = true;
        const Problem *why = firstProblem(evidence);
        draft.blame(rank, MemberState::unread, why ? why->code : "not_read",
                    rankText(rank) + ": " + (why ? why->text : "not known whether it is whole"),
                    evidence.encrypted ? "encrypted" : "not known");
        return;
    }
    if (evidence.nonFiniteSeen) {
        draft.found.corrupt = true;
        std::string text = "NaN in the weights";
        for (const Problem &problem : evidence.problems)
            if (problem.code == "nan_weights") text = problem.text;
        draft.blame(rank, MemberState::torn, "nan_weights", rankText(rank) + ": " + text, "NaN weights");
        return;
    }
    takeAdvice(draft, evidence, static_cast<int>(rank));
}

}  // namespace

void judgeFiles(Draft &draft, const JudgeContext &context)
{
    const auto &before = context.expected.completeBefore;
    SetFacts facts;
    facts.usual = usualSize(draft);
    facts.pruned = std::find(before.begin(), before.end(), draft.set.id) != before.end();
    facts.others = othersSaved(draft);
    for (std::size_t rank = 0; rank < draft.parts.size(); ++rank)
        if (draft.parts[rank].member)
            facts.youngest = std::min(
                facts.youngest, std::max(0.0, secondsBetween(*draft.set.members[rank].time, context.expected.now)));
    if (draft.everyRank) {
        std::vector<std::size_t> all(draft.parts.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        if (!all.empty()) judgeComposite(draft, all, context);
    }
    int unread = 0;
    for (std::size_t rank = 0; rank < draft.parts.size(); ++rank) {
        const Part &part = draft.parts[rank];
        if (!draft.everyRank && part.member && !part.plain && part.member->file.stat.kind == 'd')
            judgeComposite(draft, {rank}, context);
        else if (!draft.everyRank && part.member)
            judgePresent(draft, rank, context.expected, facts.usual);
        else if (!draft.everyRank)
            judgeMissing(draft, rank, context, facts);
        if (draft.set.members[rank].state == MemberState::unread && part.evidence->level == EvidenceLevel::L0) ++unread;
    }
    if (unread > 0 && draft.everyRank)
        draft.say("not_read", "its files were not read yet");
    else if (unread > 0)
        draft.say("not_read", unread == 1 ? "1 file was not read yet" : grouped(unread) + " files were not read yet");
}

}  // namespace rankdeck
