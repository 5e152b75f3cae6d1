// SPDX-License-Identifier: GPL-3.0-or-later
// Position of an attempt's steps on the job's axis, if epoch and step alone would give another position. Pure; never
// fails.
#pragma once

#include "core/run/run.h"
#include "core/verdict/verdict.h"

#include <functional>
#include <map>

namespace rankdeck {

using NominalPosition = std::function<std::optional<std::int64_t>(const CheckpointSet &set)>;  // by its epoch and step

// Offset to add to the nominal positions of each attempt, derived from its own checkpoints. After a resume within an
// epoch, MindSpore's epochs jump while global_step continues. Sets of a later attempt count only if they were saved
// after that attempt began. Reason: names number the attempts differently, and a console without their history begins
// with the newest. Sets whose global_step restarted with the resume do not count, because their epochs continue.
std::map<int, std::int64_t> stepOffsetsOf(const CheckpointReport &report, const std::vector<AttemptInfo> &attempts,
                                          const NominalPosition &nominal);

}  // namespace rankdeck
