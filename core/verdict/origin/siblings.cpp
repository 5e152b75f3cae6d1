// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/origin/siblings.h"

#include <algorithm>

namespace rankdeck {

bool isLoneFile(const SetAssessment &assessment)
{
    if (!assessment.sharedByRanks && assessment.parts.size() != 1) return false;
    const Part &part = assessment.parts.front();
    return part.member && part.member->file.stat.kind == 'f' && !part.member->name.sharedByRanks &&
           !part.member->name.rank && part.evidence && part.evidence->complete == true;
}

void doubt(const SetAssessment &assessment, Message text)
{
    const Findings &found = assessment.findings;
    const bool doubted = std::any_of(found.blames.begin(), found.blames.end(), [&](const Blame &blame) {
        return blame.law == found.law && blame.code == "rank_unproven";
    });
    if (!doubted) assessment.blame("rank_unproven", std::move(text));
}

bool isCopyWord(std::string_view word)
{
    for (const std::string_view known :
         {"best", "last", "latest", "final", "backup", "bak", "copy", "old", "ema", "keep"})
        if (word.find(known) != std::string_view::npos) return true;
    return false;
}

Known holdTheSame(const Evidence *a, const Evidence *b)
{
    if (!a || !b || !a->complete.isYes() || !b->complete.isYes()) return Known::unknown;
    if (a->fingerprint != b->fingerprint) return Known::no;
    return !a->checksums || !b->checksums || *a->checksums == *b->checksums;
}

}  // namespace rankdeck
