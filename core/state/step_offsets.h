// SPDX-License-Identifier: GPL-3.0-or-later
// Where the steps of an attempt lie on the job's axis when epoch and step alone would put them elsewhere. Pure; never fails.
#pragma once

#include "core/run/run.h"
#include "core/verdict/verdict.h"

#include <functional>
#include <map>

namespace rankdeck {

using NominalPosition = std::function<std::optional<std::int64_t>(const CheckpointSet &set)>;  // by its epoch and step

// Of each attempt that its own checkpoints tell of, what is added to nominal positions: after a resume within an epoch
// MindSpore's epochs jump while global_step goes on. Sets of a later attempt than the first tell it only when they were saved
// since it began: names number attempts on their own, and a console without their history begins with the newest. Not told by a
// set whose global_step began anew with the resume: there the epochs go on.
std::map<int, std::int64_t> stepOffsetsOf(const CheckpointReport &report, const std::vector<AttemptInfo> &attempts,
                                          const NominalPosition &nominal);

}  // namespace rankdeck
