// SPDX-License-Identifier: GPL-3.0-or-later
// Members → assessments of sets: same attempt, kind and point, one part per rank. Private to verdict/. Pure; what does
// not fit is left out and told in notes.
#pragma once

#include "core/verdict/set_assessment.h"

#include <vector>

namespace rankdeck {

// evidence: parallel to members. Both must outlive the assessments. Members of ranks ≥ worldSize are left out (leftovers);
// they and other oddities are told in notes.
std::vector<SetAssessment> groupIntoSets(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                                         const Expectation &expected, int worldSize, std::vector<std::string> &notes);

// Gives every set its id from what is known of it.
void nameSets(std::vector<SetAssessment> &assessments);

}  // namespace rankdeck
