// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of the frameworks' own trackers with the verdicts. A tracker decides nothing. If it is empty, corrupt,
// behind, or contradicts another one, that is reported, because the framework itself would follow it. Private to
// verdict/.
#pragma once

#include "core/verdict/set_assessment.h"

#include <string>
#include <vector>

namespace rankdeck {

// assessments: judged, newest first, with their ids. Sets named by a tracker get a reason. If nodes see different
// trackers, their sets are no longer proven.
std::vector<TrackerVerdict> judgeTrackers(std::vector<SetAssessment> &assessments, const Inventory &inventory,
                                          const KnownEvidence &known);

// Trackers that were not read yet.
std::vector<Member> unreadTrackers(const Inventory &inventory, const KnownEvidence &known);

}  // namespace rankdeck
