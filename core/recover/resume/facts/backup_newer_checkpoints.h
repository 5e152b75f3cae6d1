// SPDX-License-Identifier: GPL-3.0-or-later
// For scripts that take the newest file of the training's own directory: what lies there and is newer than the chosen
// set goes aside, so that the newest is the chosen one. Pure.
#pragma once

#include "core/recover/resume/facts/backup_outputs.h"

namespace rankdeck {

// Files of the same kind (dying gasps, or all others) beside each rank's chosen one, newer by their times.
Moves moveNewer(const JobState &view, const CheckpointSet &set, const std::string &id);

}  // namespace rankdeck
