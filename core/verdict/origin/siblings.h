// SPDX-License-Identifier: GPL-3.0-or-later
// Files beside one another of which each looks like a whole checkpoint of one process.
#pragma once

#include "core/verdict/set_assessment.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// One plain file that stands for everything, by no framework's own name.
bool isLoneFile(const SetAssessment &assessment);
// What is a second file of the same process, or a copy: best/ beside last/.
bool isCopyWord(std::string_view word);
// As far as what was read tells.
Known holdTheSame(const Evidence *a, const Evidence *b);
// No longer VALID: nothing shows whose the file is.
void doubt(SetAssessment &assessment, std::string text);

// shard_a.pt beside shard_b.pt: names without a number that tell files of one point apart.
void judgeNamesakes(std::vector<SetAssessment> &assessments);

}  // namespace rankdeck
