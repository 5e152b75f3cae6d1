// SPDX-License-Identifier: GPL-3.0-or-later
// Check of files that torch saved under another name: for another rank of the save, or for another save of the run. If
// the ranks have equal values, the names do not matter, because any replica's file can be used.
#include "core/base/text.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/verdict/laws.h"

#include <map>
#include <tuple>

namespace rankdeck {
namespace {

// True if all files are equal and at least two still have their own names. Then they are replicas, and no file was
// copied over another.
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

// Each file of a save whose name has numbers, with the name under which it was saved.
template <typename Act>
void eachSavedName(const SetAssessment &assessment, const Act &act)
{
    const Member *before = nullptr;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Part &part = assessment.parts[rank];
        if (!part.member || part.member == before || !assessment.judged(rank)) continue;
        before = part.member;
        const auto root = part.evidence->meta.find("archive_root");
        if (part.member->parts.empty() && root != part.evidence->meta.end())
            act(rank, std::string(), SavedFile{part.member->file.path, root->second});
        if (!part.evidence->states) continue;
        for (const auto &[slot, state] : *part.evidence->states)
            if (const auto named = state.find("named"); named != state.end())
                act(rank, slot, SavedFile{named->second + ".pt", state.find("saved_as")->second});
    }
}

}  // namespace

void judgeRenames(const SetAssessment &assessment, const JudgeContext & /*context*/)
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
        assessment.blame(
            "unmatched_name",
            message("rank %1 has %2, which was saved as %3: the file was renamed, or is a copy of another rank's file",
                    rank, printable(baseName(files[at].path)), printable(files[at].savedAs)),
            static_cast<int>(rank));
    }
}

void judgeSavedNames(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    struct Row {
        std::vector<SavedFile> files = {};
        std::vector<std::size_t> saves = {};
    };
    std::map<std::tuple<std::string, int, std::size_t, std::string>, Row> rows;  // course, attempt, rank, slot
    for (std::size_t i = 0; i < assessments.size(); ++i)
        eachSavedName(assessments[i], [&](std::size_t rank, const std::string &slot, SavedFile file) {
            Row &row = rows[{courseOf(assessments[i]), assessments[i].set.attempt, rank, slot}];
            row.files.push_back(std::move(file));
            row.saves.push_back(i);
        });
    for (const auto &[at, row] : rows)
        for (const std::size_t renamed : renamedAmong(row.files)) {
            const SetAssessment &save = assessments[row.saves[renamed]];
            const int rank = save.sharedByRanks ? -1 : static_cast<int>(std::get<2>(at));
            save.blame("unmatched_name",
                       message("%1 was saved as %2: the file was renamed, or is a copy of another save's file",
                               printable(baseName(row.files[renamed].path)), printable(row.files[renamed].savedAs)),
                       rank);
        }
}

}  // namespace rankdeck
