// SPDX-License-Identifier: GPL-3.0-or-later
// Files beside one another of which each looks like a whole checkpoint of one process.
#pragma once

#include "core/verdict/set_assessment.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// One plain file with the whole checkpoint, without a framework's own name.
bool isLoneFile(const SetAssessment &assessment);
// Words that mark a second file of the same process, or a copy: best/ beside last/.
bool isCopyWord(std::string_view word);
// Unknown if too little was read.
Known holdTheSame(const Evidence *a, const Evidence *b);
// Nothing shows the owner of the file; said once.
void doubt(const SetAssessment &assessment, Message text);

// Checks shard_a.pt beside shard_b.pt: names without a number, for files of one step.
void judgeNamesakes(std::vector<SetAssessment> &assessments);

}  // namespace rankdeck
