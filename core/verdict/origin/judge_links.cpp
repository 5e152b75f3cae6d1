// SPDX-License-Identifier: GPL-3.0-or-later
// Check of linked files: rank_2 is a link to rank_1, or the files of two ranks are one file by a hard link. Only one of
// the two ranks wrote it. That is right if the ranks are replicas, which needs evidence. Otherwise a piece of the model
// is loaded twice and another piece is lost.
#include "core/base/text.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace rankdeck {
namespace {

using File = std::tuple<std::string, std::uint64_t, std::uint64_t>;  // node, device, inode

// The file of the part, or its first file; nullptr if nothing shows where its bytes are.
const FileEntry *bytesOf(const Part &part)
{
    if (!part.member) return nullptr;
    const std::vector<FileEntry> &parts = part.member->parts;
    const FileEntry &file = parts.empty() ? part.member->file : parts.front();
    return file.stat.kind == 'f' && file.stat.inode != 0 ? &file : nullptr;
}

bool areReplicas(const std::vector<std::vector<int>> &groups, std::size_t a, std::size_t b)
{
    const auto has = [](const std::vector<int> &group, std::size_t rank) {
        return std::find(group.begin(), group.end(), static_cast<int>(rank)) != group.end();
    };
    return std::any_of(groups.begin(), groups.end(),
                       [&](const std::vector<int> &group) { return has(group, a) && has(group, b); });
}

}  // namespace

void judgeLinks(const SetAssessment &assessment, const JudgeContext &context)
{
    if (assessment.sharedByRanks || assessment.parts.size() < 2) return;
    std::map<File, std::size_t> ranks;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const FileEntry *file = bytesOf(assessment.parts[rank]);
        if (!file) continue;
        const auto [first, added] =
            ranks.try_emplace({assessment.parts[rank].member->node, file->stat.device, file->stat.inode}, rank);
        const Part &other = assessment.parts[first->second];
        if (added || other.member->file.path == assessment.parts[rank].member->file.path) continue;
        if (areReplicas(context.expected.replicaGroups, first->second, rank)) continue;
        assessment.blame("rank_unproven",
                         message("rank %1 has the file of rank %2 through a link: correct only if they are replicas. "
                                 "checkpoints.replica_groups can state that",
                                 rank, first->second),
                         static_cast<int>(rank));
        return;
    }
}

}  // namespace rankdeck
