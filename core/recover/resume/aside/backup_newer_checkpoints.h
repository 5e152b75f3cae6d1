// SPDX-License-Identifier: GPL-3.0-or-later
// For scripts that take the newest file of the training's own directory: what lies there and is newer than the chosen
// set goes aside, so that the newest is the chosen one. Pure.
#pragma once

#include "core/recover/resume/aside/backup_outputs.h"

namespace rankdeck {

// Files of the same kind (dying gasps, or all others) beside each rank's chosen one, newer by their times; every dying gasp
// where none is chosen. Also in the folder of a rank that another one's file serves, which is where its script looks.
Moves moveNewer(const JobState &view, const CheckpointSet &set, const std::string &id);
// Of these the dying gasps only: for scripts that are told their periodic file and load a gasp before it.
Moves moveGasps(const JobState &view, const CheckpointSet &set, const std::string &id);

}  // namespace rankdeck
