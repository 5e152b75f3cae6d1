// SPDX-License-Identifier: GPL-3.0-or-later
// What the frameworks' own trackers say, against what was judged. A tracker decides nothing: where it is empty, corrupt,
// behind, or at odds with another one it is told, because the framework itself would follow it. Private to verdict/.
#pragma once

#include "core/verdict/set_assessment.h"

#include <string>
#include <vector>

namespace rankdeck {

// assessments: judged, newest first, with their ids. Sets that a tracker concerns get a reason; where nodes see different
// trackers their sets are no longer proven.
std::vector<TrackerVerdict> judgeTrackers(std::vector<SetAssessment> &assessments, const Inventory &inventory,
                                          const KnownEvidence &known);

// What MindFormers' marks of single saves speak against (judge_marks.cpp). assessments: judged. Returns what is to be told of
// records that could not be read.
std::vector<std::string> judgeMindformersMarks(std::vector<SetAssessment> &assessments, const Inventory &inventory,
                                               const KnownEvidence &known);

// Trackers of which nothing was read yet.
std::vector<Member> unreadTrackers(const Inventory &inventory, const KnownEvidence &known);

}  // namespace rankdeck
