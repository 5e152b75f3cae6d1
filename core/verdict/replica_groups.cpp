// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/replica_groups.h"

#include "core/base/text.h"

namespace rankdeck {
namespace {

// "0,2;1,3" from the strategy file of one rank or of a whole stage. A group file states the same more directly.
void takeStrategy(const std::string &text, int rank, std::map<int, std::vector<int>> &lists)
{
    for (const std::string &one : split(text, ';')) {
        const auto group = parseRestoreRanks(one);
        if (!group) continue;
        const bool own = std::binary_search(group->begin(), group->end(), rank);
        for (const int member : *group)
            if (rank < 0 || (own && member == rank)) lists.emplace(member, *group);
    }
}

}  // namespace

ReplicaGroups groupsFromFiles(const Inventory &inventory, const KnownEvidence &known, int worldSize)
{
    std::map<int, std::vector<int>> lists;
    std::vector<std::string> notes;
    for (const Member &member : inventory.groupFiles) {
        const EvidencePtr held = known(member);
        const Evidence &evidence = *held;
        if (const auto cut = evidence.meta.find("replica_groups"); cut != evidence.meta.end()) {
            takeStrategy(cut->second, member.rank, lists);
            continue;
        }
        const auto said = evidence.meta.find("restore_ranks");
        if (said == evidence.meta.end()) {
            if (!evidence.problems.empty() && notes.size() < 20)
                notes.push_back(printable(member.file.path) + " on " + member.node + ": " +
                                evidence.problems.front().text);
            continue;
        }
        auto ranks = parseRestoreRanks(said->second);
        if (ranks) lists.insert_or_assign(member.rank, std::move(*ranks));
    }
    ReplicaGroups groups = agreeOnGroups(lists, worldSize);
    groups.notes.insert(groups.notes.begin(), notes.begin(), notes.end());
    return groups;
}

std::vector<Member> unreadGroupFiles(const Inventory &inventory, const KnownEvidence &known)
{
    std::vector<Member> unread;
    for (const Member &member : inventory.groupFiles)
        if (isUnread(*known(member))) unread.push_back(member);
    return unread;
}

std::map<int, int> restoreSources(const CheckpointSet &set)
{
    std::map<int, int> sources;
    for (const MemberVerdict &member : set.members)
        if (member.state == MemberState::ok || member.state == MemberState::replica)
            sources[member.rank] = member.fromRank.value_or(member.rank);
    return sources;
}

}  // namespace rankdeck
