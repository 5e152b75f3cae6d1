// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the Hugging Face Trainer in one directory. Each run numbers its checkpoints from the beginning and leaves
// those of the previous run, so the largest number may be an old one. The checkpoints of one run repeat the same part
// of the loss history, which distinguishes the runs. Times order the runs, and decide alone only if the content shows
// nothing. Pure. Private to verdict/.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <vector>

namespace rankdeck {

bool isOfTrainer(const Member &member);

// Attempt of each member, from 0; members that are not the Trainer's stay 0. Empty: one run. Unread members do not
// split a run. evidence: parallel to the members, which are all in one directory.
std::vector<int> splitTrainerRuns(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence);

}  // namespace rankdeck
