// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/facts/backup_newer_checkpoints.h"

#include "core/base/text.h"
#include "core/recover/wording.h"

#include <algorithm>

namespace rankdeck {

namespace {

using Folders = std::map<std::pair<std::string, std::string>, std::vector<const Member *>>;  // by node and directory

Folders foldersOf(const Inventory &inventory)
{
    Folders folders;
    for (const Member &member : inventory.members) folders[{member.node, dirName(member.file.path)}].push_back(&member);
    return folders;
}

// A dying gasp is taken before any periodic file, whatever its time; among its own kind the newest is.
bool takenBefore(const Member &chosen, const Member &other, bool gasp)
{
    if (&other == &chosen || other.name.temporary) return false;
    const bool otherGasp = other.name.kind == CheckpointKind::breakpoint;
    if (otherGasp && !gasp) return true;
    return otherGasp == gasp && other.file.stat.mtimeNs >= chosen.file.stat.mtimeNs;
}

}  // namespace

Moves moveNewer(const JobState &view, const CheckpointSet &set, const std::string &id)
{
    Moves moves;
    std::vector<int> ranks;
    std::string example;
    const bool gasp = set.kind == CheckpointKind::breakpoint;
    const Folders folders = foldersOf(*view.inventory);
    for (const MemberVerdict &member : set.members) {
        const auto folder = folders.find({member.node, dirName(member.path)});
        if (folder == folders.end()) continue;
        const auto chosen = std::find_if(folder->second.begin(), folder->second.end(),
                                         [&](const Member *one) { return one->file.path == member.path; });
        if (chosen == folder->second.end()) continue;
        for (const Member *one : folder->second) {
            const Member &other = *one;
            if (!takenBefore(**chosen, other, gasp)) continue;
            auto &done = moves.moved[other.node];
            const std::string target = other.file.path + ".moved-" + id;
            if (!done.emplace(other.file.path, target).second) continue;
            const bool elsewhere =
                view.job.pathsShared && std::any_of(moves.moved.begin(), moves.moved.end(), [&](const auto &entry) {
                    return entry.first != other.node && entry.second.contains(other.file.path);
                });
            if (elsewhere) continue;
            moves.byNode[other.node].push_back({.action = FileAction::move, .path = other.file.path, .target = target});
            ranks.push_back(member.rank);
            if (example.empty()) example = other.file.path;
        }
    }
    if (ranks.empty()) return moves;
    Finding finding = warning("newer_checkpoints",
                              "the script takes the newest file of its own directory, a dying gasp first, and " +
                                  printable(example) + (ranks.size() > 1 ? " and others come" : " comes") +
                                  " before the chosen one (" + ranksText(ranks) + ")",
                              "the plan moves them aside");
    finding.fixable = true;
    moves.findings.push_back(std::move(finding));
    return moves;
}

}  // namespace rankdeck
