// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that would load nothing, or not the chosen set: refused before anything runs. Only what is sure to go wrong:
// a script that was not read, or that may load by itself, is left to the proof. Pure.
#pragma once

#include "core/recover/launch/script_adapter.h"
#include "core/recover/resume/backup_outputs.h"
#include "core/recover/resume/resume_preflight.h"

#include <vector>

namespace rankdeck {

std::vector<Finding> startsFromZero(const JobState &view, const CheckpointSet &set, const AdaptedScript &told,
                                    const ResumeFacts &facts, const Moves &saves, const ResumeOptions &options);

}  // namespace rankdeck
