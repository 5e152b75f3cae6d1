// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the ranks in names of files (formats/components/file_ranks.h) against the content of the files. If the files of
// most saves name different steps, the number counts saves, and each file is a save of its own. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <optional>
#include <vector>

namespace rankdeck {

// The inventory with the other reading of such files, in the same order; nullopt: nothing contradicts the ranks. evidence:
// of the members, in their order.
std::optional<Inventory> withoutRefutedRanks(const Inventory &inventory, const std::vector<EvidencePtr> &evidence);

}  // namespace rankdeck
