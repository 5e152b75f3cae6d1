// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/aside/backup_newer_checkpoints.h"

#include "core/base/text.h"
#include "core/recover/resume/aside/emergency_checkpoints.h"
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

// True if the script takes `other` before the chosen file. An emergency checkpoint comes before any periodic file,
// whatever its time. Within one kind the newest file comes first.
bool takenBefore(const Member &chosen, const Member &other, bool gasp)
{
    if (&other == &chosen || other.name.temporary) return false;
    const bool otherEmergencyCheckpoint = other.name.kind == CheckpointKind::breakpoint;
    if (otherEmergencyCheckpoint && !gasp) return true;
    return otherEmergencyCheckpoint == gasp && other.file.stat.mtimeNs >= chosen.file.stat.mtimeNs;
}

class Aside {
public:
    Aside(const JobState &view, const CheckpointSet &set, const std::string &id, bool gaspsOnly)
        : m_view(view), m_suffix(".moved-" + id), m_gasp(set.kind == CheckpointKind::breakpoint),
          m_gaspsOnly(gaspsOnly), m_folders(foldersOf(*view.inventory))
    {
        for (const MemberVerdict &member : set.members) look(member);
    }

    Moves run()
    {
        if (m_ranks.empty()) return std::move(m_moves);
        Finding finding =
            warning("newer_checkpoints",
                    m_ranks.size() > 1 ? message("the script loads the newest file in its own directory, emergency "
                                                 "checkpoints first; %1 and others come before the chosen file (%2)",
                                                 printable(m_example), ranksText(m_ranks))
                                       : message("the script loads the newest file in its own directory, emergency "
                                                 "checkpoints first; %1 comes before the chosen file (%2)",
                                                 printable(m_example), ranksText(m_ranks)),
                    message("the plan backs them up"));
        finding.fixable = true;
        m_moves.findings.push_back(std::move(finding));
        return std::move(m_moves);
    }

private:
    void look(const MemberVerdict &member)
    {
        const auto folder = m_folders.find({member.node, dirName(member.path)});
        if (folder == m_folders.end()) return;
        const auto chosen = std::find_if(folder->second.begin(), folder->second.end(),
                                         [&](const Member *one) { return one->file.path == member.path; });
        if (chosen == folder->second.end()) return;
        for (const Member *other : folder->second) consider(member.rank, **chosen, *other);
        const NodeSpec *node = m_view.job.nodeOf(member.rank);
        const std::string place = ownPlace(member);
        if (!node || dirName(place) == dirName(member.path)) return;
        const auto own = m_folders.find({node->name, dirName(place)});
        if (own == m_folders.end()) return;
        for (const Member *other : own->second) consider(member.rank, **chosen, *other, place);
    }

    void consider(int rank, const Member &chosen, const Member &other, const std::string &inTheWay = {})
    {
        const bool otherEmergencyCheckpoint = other.name.kind == CheckpointKind::breakpoint;
        if (m_gaspsOnly && !otherEmergencyCheckpoint) return;
        if (!takenBefore(chosen, other, m_gasp) && other.file.path != inTheWay) return;
        auto &done = m_moves.moved[other.node];
        const std::string target = other.file.path + m_suffix;
        if (!done.emplace(other.file.path, target).second) return;
        const bool elsewhere =
            m_view.job.pathsShared && std::any_of(m_moves.moved.begin(), m_moves.moved.end(), [&](const auto &entry) {
                return entry.first != other.node && entry.second.contains(other.file.path);
            });
        if (elsewhere) return;
        m_moves.byNode[other.node].push_back({.action = FileAction::move, .path = other.file.path, .target = target});
        m_ranks.push_back(rank);
        if (m_example.empty()) m_example = other.file.path;
    }

    const JobState &m_view;
    const std::string m_suffix;
    const bool m_gasp, m_gaspsOnly;
    const Folders m_folders;
    Moves m_moves;
    std::vector<int> m_ranks;
    std::string m_example;
};

}  // namespace

Moves moveNewer(const JobState &view, const CheckpointSet &set, const std::string &id)
{
    return Aside(view, set, id, false).run();
}

Moves moveEmergencyCheckpoints(const JobState &view, const CheckpointSet &set, const std::string &id)
{
    return Aside(view, set, id, true).run();
}

}  // namespace rankdeck
