// SPDX-License-Identifier: GPL-3.0-or-later
// Check of files that torch saved for one rank and that replace the file of another. If the ranks have the same values
// it does not matter: any replica's file serves.
#include "core/base/text.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/verdict/set_assessment.h"

namespace rankdeck {
namespace {

// All hold the same, and two of them under their own names: replicas, and not one file that was copied over the other.
bool areReplicas(const SetAssessment &assessment, std::size_t renamed)
{
    std::size_t files = 0;
    std::uint64_t print = 0;
    for (const Part &part : assessment.parts) {
        if (!part.member || !part.evidence) continue;
        const std::uint64_t own = part.evidence->fingerprint;
        if (own == 0 || (print != 0 && own != print)) return false;
        print = own;
        ++files;
    }
    return files >= renamed + 2;
}

}  // namespace

void judgeRenames(SetAssessment &assessment)
{
    if (assessment.sharedByRanks || assessment.parts.size() < 2) return;
    std::vector<SavedFile> files;
    std::vector<std::size_t> ranks;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        if (!assessment.judged(rank) || !assessment.parts[rank].member) continue;
        const Meta &meta = assessment.parts[rank].evidence->meta;
        const auto root = meta.find("archive_root");
        if (root == meta.end()) continue;
        files.push_back({assessment.parts[rank].member->file.path, root->second});
        ranks.push_back(rank);
    }
    const std::vector<std::size_t> renamed = renamedAmong(files);
    if (renamed.empty() || areReplicas(assessment, renamed.size())) return;
    for (const std::size_t at : renamed) {
        const std::size_t rank = ranks[at];
        assessment.found.unproven = true;
        assessment.addReason("unmatched_name",
                             "rank " + std::to_string(rank) + " has " + printable(baseName(files[at].path)) +
                                 ", which was saved as " + printable(files[at].savedAs) +
                                 ": the file was renamed, or is a copy of another rank's file",
                             static_cast<int>(rank));
    }
}

}  // namespace rankdeck
