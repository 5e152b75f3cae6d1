// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the Hugging Face Trainer in one directory: it numbers its checkpoints from the beginning again and leaves those
// of the run before, so that the largest number may be an old one. What the checkpoints repeat of their loss history
// tells the runs apart; times order them, and decide alone only where the content is silent. Pure. Private to verdict/.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <vector>

namespace rankdeck {

bool isOfTrainer(const Member &member);

// Attempt of each member, from 0; others than the Trainer's stay 0. Empty: one run. Members that were not read split
// nothing. evidence: parallel to the members, which are of one directory.
std::vector<int> splitTrainerRuns(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence);

}  // namespace rankdeck
