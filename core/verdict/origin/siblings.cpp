// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/origin/siblings.h"

namespace rankdeck {

bool isLoneFile(const SetAssessment &assessment)
{
    if (!assessment.sharedByRanks && assessment.parts.size() != 1) return false;
    const Part &part = assessment.parts.front();
    return part.member && part.member->file.stat.kind == 'f' && !part.member->name.sharedByRanks &&
           !part.member->name.rank && part.evidence && part.evidence->complete == true;
}

void doubt(SetAssessment &assessment, std::string text)
{
    assessment.found.unproven = true;
    assessment.addReason("rank_unproven", std::move(text));
    conclude(assessment);
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
