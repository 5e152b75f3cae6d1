// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the ranks in names of files (formats/components/file_ranks.h) against the content of the files. If the files of
// most saves name different steps, the number counts saves, and each file is a save of its own. If none of the files is
// a checkpoint, the number counts data. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <vector>

namespace rankdeck {

// The inventory with the other reading of such files, in the same order; nullopt: nothing contradicts the ranks. evidence:
// of the members, in their order.
std::optional<Inventory> withoutRefutedRanks(const Inventory &inventory, const std::vector<EvidencePtr> &evidence);

// True if the content shows that a file with an unknown name is not a checkpoint.
bool isOfNoFormat(const Evidence &evidence);

}  // namespace rankdeck
