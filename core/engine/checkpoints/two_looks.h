// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of saves in progress if no job shows whether it runs: compares two listings that are a second apart. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/verdict/verdict.h"

#include <string>

namespace rankdeck {

// Depth of the listing of one checkpoint: parts of FSDP and DeepSpeed are two directories below it.
inline constexpr int partDepth = 5;

// True if the report may contain a save in progress, so that a second listing is useful.
bool mayBeWritten(const CheckpointReport &report, WallTime now);
bool mayBeWritten(const Member &member, WallTime now);
bool isSame(const Member &member, const Member &before);  // none of its files has changed
// Marks files that have changed since the first listing, and temporary files from the last seconds. Returns true if
// anything has changed.
bool markGrowing(Inventory &now, const Inventory &before, WallTime time);

}  // namespace rankdeck
