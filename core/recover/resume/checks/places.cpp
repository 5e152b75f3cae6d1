// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/recover/resume/checks/resume_checks.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::uint64_t savesAhead = 3;

void checkAccess(std::vector<Finding> &into, const JobState &view, const PlaceFacts &facts)
{
    for (const MemberAccess &member : facts.members) {
        const auto status = std::find_if(view.nodes.begin(), view.nodes.end(),
                                         [&](const NodeStatus &node) { return node.name == member.node; });
        const std::string where = printable(member.path) + " on node " + printable(member.node);
        if (!member.problem.empty())
            into.push_back(onRank(
                refusal("checkpoint_unreadable",
                        message("rank %1 must read %2, but cannot: %3", member.rank, where, printable(member.problem)),
                        message("log in as its owner, or have the owner make it readable (chmod)")),
                member.rank));
        else if (status != view.nodes.end() && !status->facts.user.empty() && member.uid != status->facts.uid)
            into.push_back(onRank(warning("directory_closed",
                                          message("%1 belongs to user %2, but the new attempt runs as %3", where,
                                                  member.uid, printable(status->facts.user)),
                                          message("the retention of the new attempt may not be able to remove it; log "
                                                  "in as its owner if that user runs the training")),
                                  member.rank));
    }
    for (const SavePlace &place : facts.places)
        if (place.known && !place.writable)
            into.push_back(onNode(refusal("directory_closed",
                                          message("expected %1 on node %2 to be writable, found that it belongs to %3 "
                                                  "and this login may not write there",
                                                  printable(place.path), printable(place.node), printable(place.owner)),
                                          message("log in as its owner, or give this login write permission")),
                                  place.node));
}

void checkRoom(std::vector<Finding> &into, const CheckpointSet &set, const PlaceFacts &facts)
{
    std::map<int, std::uint64_t> bytesOf;
    for (const MemberVerdict &member : set.members) bytesOf[member.rank] = member.bytes;
    std::map<std::pair<std::string, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>> byDisk;  // save, free
    for (const SavePlace &place : facts.places) {
        if (!place.known || !place.checkpoints || !place.freeBytes) continue;
        auto &[save, free] = byDisk[{place.node, place.device}];
        free = *place.freeBytes;
        for (const int rank : place.ranks) save += bytesOf[rank];
    }
    for (const auto &[disk, room] : byDisk) {
        const auto &[save, free] = room;
        if (save == 0 || free >= savesAhead * save) continue;
        into.push_back(onNode(warning("disk_room",
                                      message("node %1 has %2 free on the checkpoint disk; one save takes %3%4",
                                              printable(disk.first), bytesText(free), bytesText(save),
                                              free < save ? message(", so the next save would already be torn")
                                                          : message(", so %1 more saves fit", free / save)),
                                      message("free some space before the next saves are torn")),
                              disk.first));
    }
}

void checkAutoLoaded(std::vector<Finding> &into, const CheckpointSet &set, const PlaceFacts &facts,
                     const ResumeOptions &options)
{
    for (const AutoLoaded &found : facts.autoLoaded) {
        const bool chosen = std::any_of(set.members.begin(), set.members.end(), [&](const MemberVerdict &member) {
            return member.path == found.path || member.path.starts_with(found.path + "/");
        });
        if (chosen) continue;
        const bool fixing = options.fixing("auto_loaded");
        Finding finding = onNode(
            refusal(
                "auto_loaded",
                message("%1 on node %2%4 is loaded by %3 instead of %5, no matter which path the framework is given",
                        printable(found.path), printable(found.node), found.by,
                        found.step >= 0 ? message(" (it contains step %1)", grouped(found.step)) : Message(),
                        setText(set)),
                fixing ? message("the plan backs it up")
                       : message("let the plan back it up, or resume from that checkpoint")),
            found.node);
        finding.fixable = true;
        if (fixing) finding.result = Finding::Result::warn;
        into.push_back(std::move(finding));
    }
}

}  // namespace

std::vector<Finding> placeFindings(const JobState &view, const CheckpointSet &set, const PlaceFacts &facts,
                                   const ResumeOptions &options)
{
    std::vector<Finding> findings;
    checkAccess(findings, view, facts);
    checkRoom(findings, set, facts);
    checkAutoLoaded(findings, set, facts, options);
    return findings;
}

}  // namespace rankdeck
