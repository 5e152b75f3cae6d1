// SPDX-License-Identifier: GPL-3.0-or-later
// Check of file times between saves. A checkpoint with several files is written after the previous one is complete. A
// large file that is as old as the previous save was moved or copied from there if the other files are newer. Times of
// copies have no such order, or are close together. Small files are ignored, because a copy may finish them before
// large ones.
#include "core/base/text.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

struct OrderedSave {
    const SetAssessment *assessment = nullptr;
    std::vector<const FileEntry *> files = {};  // the large ones, the oldest first
};

double seconds(std::int64_t fromNs, std::int64_t toNs) { return double(toNs - fromNs) / 1e9; }
std::int64_t timeOf(const FileEntry *file) { return file->stat.mtimeNs; }

// True for a file that neither the mark nor the index names: an earlier save left it, and no loader reads it.
bool mayBeLeftOver(const Evidence *evidence, const std::string &name)
{
    if (!evidence || !evidence->partFingerprints) return false;
    const auto &all = evidence->problems;
    return std::any_of(all.begin(), all.end(), [](const Problem &problem) { return problem.code == "leftover"; }) &&
           evidence->partFingerprints->count(name) == 0;
}

OrderedSave orderedSaveOf(const SetAssessment &assessment)
{
    OrderedSave out{&assessment};
    const Member &member = *assessment.parts.front().member;
    std::uint64_t largest = 0;
    for (const FileEntry &part : member.parts) largest = std::max(largest, part.stat.size);
    for (const FileEntry &part : member.parts)
        if (part.stat.kind == 'f' &&
            part.stat.size >= std::max<std::uint64_t>(largest / threshold::shareOfLargest, threshold::smallFile) &&
            !mayBeLeftOver(assessment.parts.front().evidence, std::string(pathBelow(part.path, member.file.path))))
            out.files.push_back(&part);
    std::sort(out.files.begin(), out.files.end(),
              [](const FileEntry *a, const FileEntry *b) { return timeOf(a) < timeOf(b); });
    return out;
}

// Number of files, counted from the oldest, that are as old as the previous save; 0: none, or undecided.
std::size_t leftBehind(const OrderedSave &save, const OrderedSave &before)
{
    if (save.files.size() < 2 || before.files.empty()) return 0;
    const std::int64_t over = timeOf(before.files.back());
    const auto late =
        std::find_if(save.files.begin(), save.files.end(), [&](const FileEntry *file) { return timeOf(file) > over; });
    const auto early = static_cast<std::size_t>(late - save.files.begin());
    if (early == 0 || late == save.files.end() || 2 * early > save.files.size()) return 0;
    const double gap = seconds(timeOf(save.files[early - 1]), timeOf(*late));
    const double own = seconds(timeOf(*late), timeOf(save.files.back()));
    const double others = seconds(timeOf(before.files.front()), over);
    return gap > threshold::seconds(threshold::overtaking) && gap > threshold::muchFurther * std::max(own, others)
               ? early
               : 0;
}

void tell(const OrderedSave &save, std::size_t early)
{
    const SetAssessment &assessment = *save.assessment;
    assessment.blame(
        "times_apart",
        message(
            "%1 of %2 large files (first: %3) are as old as the previous save: they were moved or copied here from it",
            grouped(std::int64_t(early)), grouped(std::int64_t(save.files.size())),
            printable(baseName(save.files.front()->path))));
}

}  // namespace

void judgeOrder(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    std::map<std::pair<std::string, int>, std::vector<OrderedSave>> runs;  // series and attempt
    for (const SetAssessment &assessment : assessments) {
        if (!assessment.sharedByRanks || assessment.parts.empty() || !assessment.parts.front().member) continue;
        const Member &member = *assessment.parts.front().member;
        if (member.parts.empty()) continue;
        OrderedSave save = orderedSaveOf(assessment);
        if (!save.files.empty()) runs[{member.series, assessment.set.attempt}].push_back(std::move(save));
    }
    for (auto &[run, saves] : runs) {
        std::sort(saves.begin(), saves.end(), [](const OrderedSave &a, const OrderedSave &b) {
            return timeOf(a.files.back()) < timeOf(b.files.back());
        });
        for (std::size_t i = 1; i < saves.size(); ++i)
            if (const std::size_t early = leftBehind(saves[i], saves[i - 1]); early > 0) tell(saves[i], early);
    }
}

}  // namespace rankdeck
