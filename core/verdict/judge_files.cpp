// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace rankdeck {
namespace {

constexpr double staggerSeconds = threshold::seconds(threshold::stagger);
constexpr double skewSeconds = threshold::seconds(threshold::skew);

// "; the others saved 03:12:07 to 03:12:31"
Message othersSaved(const SetAssessment &assessment)
{
    std::optional<WallTime> first, last;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        if (!assessment.parts[rank].member) continue;
        const WallTime at = savedAt(*assessment.parts[rank].member);
        first = first ? std::min(*first, at) : at;
        last = last ? std::max(*last, at) : at;
    }
    if (!first) return {};
    const std::string from = clockTime(*first), to = clockTime(*last);
    return from == to ? message("the others saved at %1", from) : message("the others saved %1 to %2", from, to);
}

// MindSpore up to 2.3 writes a file in place with mode 0600 and sets the mode to 0400 at the end. Later versions rename
// the file.
bool mayStillBeWritten(const Member &member, const Expectation &expected)
{
    return expected.running && (member.file.stat.mode & 0777) == 0600 && ageSeconds(member, expected) < savingSeconds;
}

std::uint64_t usualSize(const SetAssessment &assessment)
{
    std::map<std::uint64_t, int> sizes;
    for (const Part &part : assessment.parts)
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

// Facts that all ranks of the set share.
struct SetFacts {
    std::uint64_t usual = 0;  // size of most of its complete files
    bool pruned = false;
    double youngest = 1e18;               // age of its newest file
    Message others = {};                  // save times of the ranks that have a file
    std::optional<WallTime> newest = {};  // newest file time, console's clock; nullopt: none is usable
    bool moves = false;                   // a plan of this console moves its files now
};

// By the console's clock. A time in the future is not usable.
std::optional<WallTime> newestFile(const SetAssessment &assessment, const JudgeContext &context)
{
    std::optional<WallTime> newest;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Member *member = assessment.parts[rank].member;
        if (!member) continue;
        const WallTime at = savedAt(*member);
        if (secondsBetween(context.expected.now, at) > skewSeconds) continue;
        newest = newest ? std::max(*newest, at) : at;
    }
    return newest;
}

bool hasReplica(const Expectation &expected, int rank)
{
    return std::any_of(expected.replicaGroups.begin(), expected.replicaGroups.end(),
                       [&](const std::vector<int> &group) {
                           return group.size() > 1 && std::find(group.begin(), group.end(), rank) != group.end();
                       });
}

// True if another rank of its group has a file. Then a plan that moves files does not explain why this rank has none.
bool isServed(const SetAssessment &assessment, int rank, const Expectation &expected)
{
    return std::any_of(
        expected.replicaGroups.begin(), expected.replicaGroups.end(), [&](const std::vector<int> &group) {
            return std::find(group.begin(), group.end(), rank) != group.end() &&
                   std::any_of(group.begin(), group.end(), [&](int other) {
                       const auto at = static_cast<std::size_t>(other);
                       return other >= 0 && at < assessment.parts.size() && assessment.parts[at].member != nullptr;
                   });
        });
}

// True if every rank with a file in both sets saved `assessment` before `other`, by its own clock. Unknown if no rank
// has a file in both.
Known isBefore(const SetAssessment &assessment, const SetAssessment &other)
{
    Known before;
    for (std::size_t rank = 0; rank < std::min(assessment.parts.size(), other.parts.size()); ++rank) {
        const Member *here = assessment.parts[rank].member, *there = other.parts[rank].member;
        if (!here || !there) continue;
        before = here->file.stat.mtimeNs < there->file.stat.mtimeNs;
        if (before != true) break;
    }
    return before;
}

// True if all files of the rank are newer than the set. Then retention has deleted the rank's file, even if the set was
// never seen complete.
bool isRotated(std::size_t rank, const SetAssessment &assessment, const JudgeContext &context, const SetFacts &facts)
{
    const auto oldest = context.oldest.find(rank);
    if (oldest == context.oldest.end() || !facts.newest) return false;
    return secondsBetween(*facts.newest, oldest->second.at) > skewSeconds ||
           isBefore(assessment, *oldest->second.set) == true;
}

enum class Absence { proven, coming, notListed };

// A file counts as missing only if the listing is newer than everything that may still be added to the set. That
// includes its other files, and the saves of ranks that come later.
Absence absenceOf(const SetAssessment &assessment, int rank, const JudgeContext &context, const SetFacts &facts)
{
    const Expectation &expected = context.expected;
    const CheckpointKind kind = assessment.set.kind;
    const bool mayCome = expected.running && facts.youngest < staggerSeconds &&
                         (kind == CheckpointKind::periodic || kind == CheckpointKind::graceful);
    const auto listed = context.inventory.listed.find(rank);
    if (mayCome) return Absence::coming;
    if (listed == context.inventory.listed.end() || !facts.newest) return Absence::proven;
    double grace = expected.running ? staggerSeconds : 0;
    if (expected.ranUntil) grace = std::clamp(secondsBetween(*facts.newest, *expected.ranUntil), 0.0, staggerSeconds);
    const bool settled = secondsBetween(*facts.newest, listed->second.asOf) > grace + skewSeconds;
    return settled || hasReplica(expected, rank) ? Absence::proven : Absence::notListed;
}

void judgeUnlisted(SetAssessment &assessment, std::size_t rank, const JudgeContext &context)
{
    const auto listed = context.inventory.listed.find(static_cast<int>(rank));
    const Message why =
        listed == context.inventory.listed.end()
            ? message("a plan is moving its files")
            : message("%1 not listed since %2", printable(listed->second.node), clockTime(listed->second.asOf));
    assessment.blame(rank, MemberState::unread, "not_listed", message("rank %1 is unknown: %2", rank, why),
                     message("unknown"));
}

void judgeMissing(SetAssessment &assessment, std::size_t rank, const JudgeContext &context, const SetFacts &facts)
{
    const Part &part = assessment.parts[rank];
    MemberVerdict &out = assessment.set.members[rank];
    if (part.temporary) {
        const Member &tmp = *part.temporary;
        const bool alive =
            tmp.growing || (context.expected.running && ageSeconds(tmp, context.expected) < savingSeconds);
        out.path = tmp.file.path;
        out.node = tmp.node;
        out.bytes = tmp.file.stat.size;
        out.time = wallFromNs(tmp.file.stat.mtimeNs);
        const std::string name = printable(baseName(tmp.file.path)), size = bytesText(tmp.file.stat.size);
        assessment.blame(
            alive ? Verdict::inProgress : Verdict::incomplete, rank,
            alive ? MemberState::inProgress : MemberState::missing, "temp_file",
            alive ? message("rank %1 is still saving: it has only %2, %3 so far", rank, name, size)
                  : message("rank %1 has only %2 (%3), left by a save that never finished", rank, name, size),
            alive ? message("saving") : message("only a .tmp file"));
        return;
    }
    const auto unlisted = context.inventory.unlisted.find(static_cast<int>(rank));
    if (unlisted != context.inventory.unlisted.end()) {
        assessment.blame(rank, MemberState::unreadable, "unreadable",
                         message("rank %1 could not be listed: %2", rank, unlisted->second), message("not listed"));
        return;
    }
    if (facts.moves && !isServed(assessment, static_cast<int>(rank), context.expected))
        return judgeUnlisted(assessment, rank, context);
    if (facts.pruned || isRotated(rank, assessment, context, facts)) {
        assessment.blame(rank, MemberState::missing, "pruned",
                         facts.pruned ? message("rank %1 no longer has a file: retention removed it", rank)
                                      : message("rank %1 no longer has a file: all its files are newer", rank),
                         message("pruned"));
        return;
    }
    const Absence absence = absenceOf(assessment, static_cast<int>(rank), context, facts);
    if (absence == Absence::notListed) return judgeUnlisted(assessment, rank, context);
    const bool coming = absence == Absence::coming;
    const Message text = coming ? message("rank %1 has no file yet", rank) : message("rank %1 has no file", rank);
    assessment.blame(coming ? Verdict::inProgress : Verdict::incomplete, rank,
                     coming ? MemberState::unread : MemberState::missing, "rank_missing",
                     facts.others.empty() ? text : message("%1; %2", text, facts.others),
                     coming ? message("not yet") : message("no file"));
}

const Problem *firstProblem(const Evidence &evidence)
{
    return evidence.problems.empty() ? nullptr : &evidence.problems.front();
}

void judgeUnread(SetAssessment &assessment, std::size_t rank, const Expectation &expected)
{
    const Part &part = assessment.parts[rank];
    const Problem *why = firstProblem(*part.evidence);
    if (why && why->code == "still_growing" && expected.running) {
        assessment.blame(Verdict::inProgress, rank, MemberState::inProgress, "still_growing",
                         message("rank %1: %2", rank, why->text), message("growing"));
        return;
    }
    if (!why) {
        assessment.unread = true;
        assessment.set.members[rank].state = MemberState::unread;
        return;
    }
    assessment.blame(Verdict::unknown, rank, MemberState::unreadable,
                     why->code == "still_growing" ? why->code : ReasonCode("unreadable"),
                     message("rank %1: %2", rank, why->text),
                     why->code == "unreachable" ? message("unreachable") : message("unreadable"));
}

void judgeBroken(SetAssessment &assessment, std::size_t rank, const Expectation &expected, std::uint64_t usual)
{
    const Part &part = assessment.parts[rank];
    const Problem *why = firstProblem(*part.evidence);
    const std::uint64_t size = part.evidence->stat.size;
    if (mayStillBeWritten(*part.member, expected)) {
        assessment.blame(Verdict::inProgress, rank, MemberState::inProgress, "still_growing",
                         message("rank %1 is still being written: %2 so far, mode 0600", rank, bytesText(size)),
                         message("saving"));
        return;
    }
    const ReasonCode code = why ? why->code : ReasonCode("torn");
    const Message what = why ? Message(why->text) : size == 0 ? message("0 bytes") : message("incomplete file");
    Message text = message("rank %1: %2", rank, what);
    Message note = code == "not_a_checkpoint" ? message("not a checkpoint")
                   : size == 0                ? message("0 bytes")
                                              : message("damaged");
    if (size < usual && size != 0) {
        note = message("%1 short", bytesText(usual - size));
        text = message("rank %1: %2 (%3 bytes, but the other ranks have %4)", rank, what, grouped(std::int64_t(size)),
                       grouped(std::int64_t(usual)));
    }
    assessment.blame(Verdict::corrupt, rank, MemberState::torn, code, text, note);
}

// True: the file needs no further checks.
bool judgeOddFile(SetAssessment &assessment, std::size_t rank, const Expectation &expected, std::uint64_t usual)
{
    const FileEntry &file = assessment.parts[rank].member->file;
    if (!file.error.empty()) {
        assessment.blame(rank, MemberState::unreadable, "unreadable",
                         message("rank %1 could not be read: %2", rank, file.error), message("unreadable"));
        return true;
    }
    if (assessment.parts[rank].member->growing && expected.running) {
        assessment.blame(Verdict::inProgress, rank, MemberState::inProgress, "still_growing",
                         message("the file of rank %1 is still growing: %2 so far", rank, bytesText(file.stat.size)),
                         message("growing"));
        return true;
    }
    if (file.stat.size != 0) return false;
    judgeBroken(assessment, rank, expected, usual);
    return true;
}

void judgePresent(SetAssessment &assessment, std::size_t rank, const Expectation &expected, std::uint64_t usual)
{
    const Evidence &evidence = *assessment.parts[rank].evidence;
    const WallTime time = savedAt(*assessment.parts[rank].member);
    if (secondsBetween(time, expected.now) < -threshold::seconds(threshold::inFuture))
        assessment.blame(
            "future_time",
            message("the file of rank %1 is dated in the future (%2): the node clock is wrong, or the file is a copy",
                    rank, isoTime(time)),
            static_cast<int>(rank));
    if (!assessment.parts[rank].plain && judgeOddFile(assessment, rank, expected, usual)) return;
    if (evidence.level == EvidenceLevel::L0) return judgeUnread(assessment, rank, expected);
    if (evidence.complete == false || evidence.crc == Evidence::Crc::bad)
        return judgeBroken(assessment, rank, expected, usual);
    if (evidence.encrypted || evidence.complete.isUnknown()) {
        const Problem *why = firstProblem(evidence);
        assessment.blame(
            Verdict::unknown, rank, MemberState::unread, why ? why->code : ReasonCode("not_read"),
            message("rank %1: %2", rank, why ? Message(why->text) : message("cannot tell whether it is complete")),
            evidence.encrypted ? message("encrypted") : message("unknown"));
        return;
    }
    if (evidence.nonFiniteSeen) {
        Message text = message("NaN in the weights");
        for (const Problem &problem : evidence.problems)
            if (problem.code == "nan_weights") text = problem.text;
        assessment.blame(rank, MemberState::torn, "nan_weights", message("rank %1: %2", rank, text),
                         message("NaN weights"));
        return;
    }
    takeAdvice(assessment, evidence, static_cast<int>(rank));
}

}  // namespace

void judgeFiles(SetAssessment &assessment, const JudgeContext &context)
{
    const auto &before = context.expected.completeBefore;
    SetFacts facts;
    facts.usual = usualSize(assessment);
    facts.pruned = std::find(before.begin(), before.end(), assessment.set.id) != before.end();
    facts.others = othersSaved(assessment);
    facts.newest = newestFile(assessment, context);
    const auto &moving = context.expected.moving;
    facts.moves = std::find(moving.begin(), moving.end(), assessment.set.id) != moving.end();
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank)
        if (assessment.parts[rank].member)
            facts.youngest =
                std::min(facts.youngest, std::max(0.0, ageSeconds(*assessment.parts[rank].member, context.expected)));
    if (assessment.sharedByRanks) {
        std::vector<std::size_t> all(assessment.parts.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        if (!all.empty()) judgeComposite(assessment, all, context);
    }
    int unread = 0;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Part &part = assessment.parts[rank];
        if (!assessment.sharedByRanks && part.member && !part.plain && part.member->file.stat.kind == 'd')
            judgeComposite(assessment, {rank}, context);
        else if (!assessment.sharedByRanks && part.member)
            judgePresent(assessment, rank, context.expected, facts.usual);
        else if (!assessment.sharedByRanks)
            judgeMissing(assessment, rank, context, facts);
        if (part.member && assessment.set.members[rank].state == MemberState::unread &&
            part.evidence->level == EvidenceLevel::L0)
            ++unread;
    }
    if (unread > 0 && assessment.sharedByRanks)
        assessment.blame("not_read", message("its files have not been read yet"));
    else if (unread > 0)
        assessment.blame("not_read", unread == 1 ? message("1 file has not been read yet")
                                                 : message("%1 files have not been read yet", grouped(unread)));
}

}  // namespace rankdeck
