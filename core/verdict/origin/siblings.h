// SPDX-License-Identifier: GPL-3.0-or-later
// Sibling files, each of which looks like a whole checkpoint of one process.
#pragma once

#include "core/verdict/set_assessment.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// True for a plain file with a whole checkpoint and a name that no framework uses.
bool isLoneFile(const SetAssessment &assessment);
// Words that mark a second file of the same process, or a copy: best/ beside last/.
bool isCopyWord(std::string_view word);
// Unknown if too little was read.
Known holdTheSame(const Evidence *a, const Evidence *b);
// Nothing shows the owner of the file; reported once.
void doubt(const SetAssessment &assessment, Message text);

// Checks shard_a.pt beside shard_b.pt: names without a number, for files of one step.
void judgeNamesakes(std::vector<SetAssessment> &assessments);

}  // namespace rankdeck
