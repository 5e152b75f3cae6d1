// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>

namespace rankdeck {
namespace {

const std::vector<int> *groupOf(const std::vector<std::vector<int>> &groups, int rank)
{
    for (const std::vector<int> &group : groups)
        if (std::find(group.begin(), group.end(), rank) != group.end()) return &group;
    return nullptr;
}

// If redundancy was removed at the save, a file contains only its own rank's share and cannot replace the file of
// another rank.
bool canStandIn(const SetAssessment &assessment, int rank)
{
    if (rank < 0 || std::size_t(rank) >= assessment.parts.size() || !assessment.judged(std::size_t(rank))) return false;
    const auto &meta = assessment.parts[std::size_t(rank)].evidence->meta;
    const auto flag = meta.find("remove_redundancy");
    return flag == meta.end() || flag->second != "True";
}

enum class Served { yes, notYetRead, no };

// True if a file has other tensors than the missing rank had in earlier sets. Then it is not that rank's replica,
// whatever the source says.
bool contradicted(const SetAssessment &assessment, int missing, int from, const JudgeContext &context)
{
    return context.structures.contradicts(assessment.set.kind, std::size_t(missing),
                                          assessment.parts[std::size_t(from)].evidence->tensors);
}

// Changes the severity of the blame for the rank's missing file.
void setAbsence(SetAssessment &assessment, int rank, Verdict severity)
{
    for (Blame &blame : assessment.findings.blames)
        if (blame.rank == rank && blame.severity == Verdict::incomplete) blame.severity = severity;
}

Served serve(SetAssessment &assessment, MemberVerdict &member, const std::vector<int> *group,
             const JudgeContext &context)
{
    if (!group) return Served::no;
    const auto from = std::find_if(group->begin(), group->end(), [&](int r) {
        return canStandIn(assessment, r) && !contradicted(assessment, member.rank, r, context);
    });
    if (from == group->end()) {
        const bool unread = std::any_of(group->begin(), group->end(), [&](int r) {
            return r >= 0 && std::size_t(r) < assessment.parts.size() &&
                   assessment.set.members[std::size_t(r)].state == MemberState::unread;
        });
        return unread ? Served::notYetRead : Served::no;
    }
    const MemberVerdict &source = assessment.set.members[std::size_t(*from)];
    member.state = MemberState::replica;
    member.fromRank = *from;
    member.path = source.path;
    member.node = source.node;
    member.member = source.member;
    member.level = source.level;
    member.bytes = source.bytes;
    member.time = source.time;
    member.note = "from rank " + std::to_string(*from);
    assessment.findings.concluded -= std::erase_if(assessment.findings.blames, [&](const Blame &blame) {
        return blame.rank == member.rank && blame.code == "rank_missing";
    });
    setAbsence(assessment, member.rank, Verdict::valid);
    return Served::yes;
}

void sayServed(SetAssessment &assessment, const MemberVerdict &member, const std::string &source)
{
    assessment.blame("replica_used",
                     message("rank %1 has no file; the file of rank %2 is used instead: it has the same parameters%3",
                             member.rank, *member.fromRank, source.empty() ? Message("") : message(", as %1", source)),
                     member.rank);
}

}  // namespace

void useReplicas(SetAssessment &assessment, const JudgeContext &context)
{
    // Usually only some ranks write an emergency checkpoint; for the other kinds, all ranks save. If a rank died before
    // it could save and its replicas are known, one of them serves it, and a reason reports this.
    const CheckpointKind kind = assessment.set.kind;
    const bool partial = kind == CheckpointKind::ttp || kind == CheckpointKind::breakpoint;
    if (assessment.sharedByRanks ||
        (!partial && (context.expected.replicaGroups.empty() || assessment.set.verdict == Verdict::inProgress)))
        return;
    bool any = false, unserved = false;
    for (MemberVerdict &member : assessment.set.members) {
        if (member.state != MemberState::missing || member.note == "pruned") continue;
        any = true;
        if (assessment.parts[std::size_t(member.rank)].temporary) continue;
        switch (serve(assessment, member, groupOf(context.expected.replicaGroups, member.rank), context)) {
        case Served::yes:
            if ((!partial || !context.expected.replicaSource.empty()) && !context.expected.savedByFew)
                sayServed(assessment, member, context.expected.replicaSource);
            break;
        case Served::notYetRead: setAbsence(assessment, member.rank, Verdict::unknown); break;
        case Served::no: unserved = true; break;
        }
    }
    if (!any) return;
    if (!unserved) {
        if (context.expected.savedByFew && !context.expected.replicaSource.empty())
            assessment.blame("rank_unproven", context.expected.replicaSource);
        return;
    }
    assessment.blame(
        "replica_missing",
        context.expected.replicaGroups.empty()
            ? message("no known data-parallel groups, so no other rank's file can replace the missing ones")
            : message("no rank in the data-parallel groups of the missing files has a complete file"));
}

}  // namespace rankdeck
