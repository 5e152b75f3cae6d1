// SPDX-License-Identifier: GPL-3.0-or-later
// Grouping of members into assessments of sets: same attempt, kind and step, one part per rank. Private to verdict/.
// Pure; members that do not fit are left out and reported in notes.
#pragma once

#include "core/verdict/set_assessment.h"

#include <vector>

namespace rankdeck {

// evidence: parallel to members. Both must outlive the assessments. Members of ranks ≥ worldSize are left out
// (leftovers). Leftovers and other oddities are reported in notes.
std::vector<SetAssessment> groupIntoSets(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                                         const Expectation &expected, int worldSize, std::vector<std::string> &notes);

// Gives every set its id from its known values.
void nameSets(std::vector<SetAssessment> &assessments);

}  // namespace rankdeck
