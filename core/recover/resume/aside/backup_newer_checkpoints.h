// SPDX-License-Identifier: GPL-3.0-or-later
// Backups for scripts that take the newest file in the directory of the training. Files newer than the chosen set are
// renamed, so that the chosen set is the newest. Pure.
#pragma once

#include "core/recover/resume/aside/backup_outputs.h"

namespace rankdeck {

// Renames files of the same kind (emergency checkpoints, or all others) beside each rank's chosen file, if they are
// newer. Renames all emergency checkpoints if the chosen set is of another kind. Also checks the folder of a rank that
// another rank's file serves, because its script looks there.
Moves moveNewer(const JobState &view, const CheckpointSet &set, const std::string &id);
// Renames only emergency checkpoints: for scripts that are given a periodic file but load an emergency checkpoint
// before it.
Moves moveEmergencyCheckpoints(const JobState &view, const CheckpointSet &set, const std::string &id);

}  // namespace rankdeck
