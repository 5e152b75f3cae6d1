// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the Hugging Face Trainer in one directory. It numbers its checkpoints from the beginning again and leaves
// those of the run before, so that the largest number may be an old one. The repeated part of their loss histories
// distinguishes the runs. Times order them, and decide alone only if the content shows nothing. Pure. Private to
// verdict/.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <vector>

namespace rankdeck {

bool isOfTrainer(const Member &member);

// Attempt of each member, from 0; others than the Trainer's stay 0. Empty: one run. Members that were not read split
// nothing. evidence: parallel to the members, which are of one directory.
std::vector<int> splitTrainerRuns(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence);

}  // namespace rankdeck
