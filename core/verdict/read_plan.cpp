// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/read_plan.h"

#include "core/verdict/frameworks/huggingface_runs.h"
#include "core/verdict/judge_trackers.h"
#include "core/verdict/replica_groups.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr std::size_t smallDirectory = 2000;  // files; above it older sets are read only on request

bool lacksARank(const CheckpointSet &set)
{
    return std::any_of(set.members.begin(), set.members.end(),
                       [](const MemberVerdict &member) { return member.state == MemberState::missing; });
}

// Only a member that forms a set for all ranks can be a Trainer's checkpoint, and there are few such sets.
bool mayHoldTrainers(const Inventory &inventory, const CheckpointReport &report)
{
    return std::any_of(report.sets.begin(), report.sets.end(), [&](const CheckpointSet &set) {
        const int first = set.members.empty() ? -1 : set.members.front().member;
        return first >= 0 && inventory.members.at(std::size_t(first)).sharedByRanks;
    });
}

// The next older set with several files, for comparison: values that are equal in both sets were not saved again.
std::vector<Member> nextOlder(const Inventory &inventory, const CheckpointReport &report, const CheckpointSet &newest,
                              const KnownEvidence &known)
{
    const auto firstMember = [](const CheckpointSet &set) {
        const auto at = std::find_if(set.members.begin(), set.members.end(),
                                     [](const MemberVerdict &part) { return part.member >= 0; });
        return at == set.members.end() ? -1 : at->member;
    };
    const auto at = std::find_if(report.sets.begin(), report.sets.end(),
                                 [&](const CheckpointSet &set) { return set.id == newest.id; });
    for (auto set = at; set != report.sets.end(); ++set) {
        const int first = firstMember(*set);
        if (set == at && (first < 0 || inventory.members.at(std::size_t(first)).parts.empty())) break;
        if (set == at || first < 0 || inventory.members.at(std::size_t(first)).parts.empty()) continue;
        return unreadMembers(*set, inventory, known);
    }
    return {};
}

// Trainer checkpoints with a smaller number that were written after the newest one. They are from a later run, or were
// only copied; their content decides.
std::vector<Member> youngerTrainers(const Inventory &inventory, const CheckpointSet &newest, const KnownEvidence &known)
{
    constexpr std::size_t enough = 4;
    std::vector<Member> wanted;
    for (const Member &member : inventory.members) {
        if (!isOfTrainer(member) || !newest.time || wallFromNs(member.file.stat.mtimeNs) <= *newest.time) continue;
        if (isUnread(*known(member))) wanted.push_back(member);
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const Member &a, const Member &b) { return a.file.stat.mtimeNs > b.file.stat.mtimeNs; });
    wanted.resize(std::min(wanted.size(), enough));
    return wanted;
}

bool wasRead(const CheckpointSet &set, const Inventory &inventory, const KnownEvidence &known)
{
    return std::any_of(set.members.begin(), set.members.end(), [&](const MemberVerdict &part) {
        return part.member >= 0 && !isUnread(*known(inventory.members.at(std::size_t(part.member))));
    });
}

}  // namespace

std::vector<Member> unreadMembers(const CheckpointSet &set, const Inventory &inventory, const KnownEvidence &known)
{
    std::vector<Member> unread;
    int before = -1;
    for (const MemberVerdict &part : set.members) {
        // All ranks of a checkpoint with several files share one member.
        if (part.state != MemberState::unread || part.member < 0 || part.member == before) continue;
        before = part.member;
        const Member &member = inventory.members.at(std::size_t(part.member));
        if (isUnread(*known(member))) unread.push_back(member);
    }
    return unread;
}

std::vector<Member> wantedEvidence(const Inventory &inventory, const CheckpointReport &report,
                                   const KnownEvidence &known)
{
    std::vector<Member> trackers = unreadTrackers(inventory, known);
    // Group files show which ranks are replicas, which matters if a rank has no file. They also show the world size if
    // nothing else does.
    if (report.worldSizeFrom == "directories" || std::any_of(report.sets.begin(), report.sets.end(), lacksARank)) {
        const std::vector<Member> groups = unreadGroupFiles(inventory, known);
        trackers.insert(trackers.end(), groups.begin(), groups.end());
    }
    // Each round reads as many further sets as were already read without finding a VALID one. So even if none is VALID,
    // all sets are read in a few rounds. Their content may still change their order.
    std::vector<Member> wanted;
    std::size_t inVain = 0, asked = 0;
    for (const CheckpointSet &set : report.sets)
        inVain += set.verdict != Verdict::valid && wasRead(set, inventory, known) ? 1 : 0;
    for (const CheckpointSet &set : report.sets) {
        if (set.verdict == Verdict::valid) {
            if (asked > 0) break;
            if (mayHoldTrainers(inventory, report)) wanted = youngerTrainers(inventory, set, known);
            if (wanted.empty()) wanted = nextOlder(inventory, report, set, known);
            break;
        }
        const std::vector<Member> unread =
            set.verdict == Verdict::unknown ? unreadMembers(set, inventory, known) : std::vector<Member>{};
        if (unread.empty()) continue;
        wanted.insert(wanted.end(), unread.begin(), unread.end());
        if (++asked >= std::max<std::size_t>(1, inVain)) break;
    }
    wanted.insert(wanted.end(), trackers.begin(), trackers.end());
    return wanted;
}

std::vector<Member> nextToRead(const Inventory &inventory, const CheckpointReport &report, const KnownEvidence &known)
{
    std::vector<Member> wanted = wantedEvidence(inventory, report, known);
    if (!wanted.empty() || inventory.members.size() > smallDirectory) return wanted;
    // Each round reads as many sets as were read before. One round for each of thousands of sets would judge all of
    // them thousands of times.
    std::size_t read = 0, asked = 0;
    for (const CheckpointSet &set : report.sets) read += wasRead(set, inventory, known) ? 1 : 0;
    for (const CheckpointSet &set : report.sets) {
        const std::vector<Member> unread = unreadMembers(set, inventory, known);
        wanted.insert(wanted.end(), unread.begin(), unread.end());
        asked += unread.empty() ? 0 : 1;
        if (asked >= std::max<std::size_t>(1, read)) break;
    }
    return wanted;
}

std::vector<Member> silentMembers(const Inventory &inventory, const CheckpointReport &report,
                                  const KnownEvidence &known)
{
    std::vector<Member> silent;
    const auto add = [&](const Member &member) {
        if (member.file.error.empty() && saysNothing(*known(member))) silent.push_back(member);
    };
    for (const CheckpointSet &set : report.sets) {
        int before = -1;
        for (const MemberVerdict &part : set.members) {
            const bool open = part.state == MemberState::unreadable || part.state == MemberState::inProgress;
            if (!open || part.member < 0 || part.member == before) continue;
            before = part.member;
            add(inventory.members.at(std::size_t(part.member)));
        }
    }
    for (const Tracker &tracker : inventory.trackers) add(tracker.member);
    for (const Member &member : inventory.groupFiles) add(member);
    return silent;
}

}  // namespace rankdeck
