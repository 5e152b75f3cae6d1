// SPDX-License-Identifier: GPL-3.0-or-later
// What is being written where no job says that anybody writes: two listings a second apart tell. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/verdict/verdict.h"

#include <string>

namespace rankdeck {

// Levels that a listing of one checkpoint goes down: parts of FSDP and DeepSpeed lie two directories below it.
inline constexpr int partDepth = 5;

// Something in the report may be a save in progress: worth a second look.
bool mayBeWritten(const CheckpointReport &report, WallTime now);
bool mayBeWritten(const Member &member, WallTime now);
bool isSame(const Member &member, const Member &before);  // no file of it has changed
// Marks what has changed since the first listing, and temporary files of the last seconds. True: something has changed.
bool markGrowing(Inventory &now, const Inventory &before, WallTime time);

}  // namespace rankdeck
