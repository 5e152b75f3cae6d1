// SPDX-License-Identifier: GPL-3.0-or-later
// The table of saves and places as the verdict inferred it: for each path its save, rank and slot, and the evidence for
// them. Pure.
#pragma once

#include "core/verdict/verdict.h"

#include <vector>

namespace rankdeck {

// The rows of one member of a set: one for each of its files. rank: -1 if the member is for all ranks.
std::vector<PlacedPart> placesOf(const CheckpointReport &report, const CheckpointSet &set, int rank,
                                 const Member &member, const Evidence &evidence);
// The rows of all members of all sets, in the order of the report.
std::vector<PlacedPart> arrangementOf(const CheckpointReport &report, const Inventory &inventory,
                                      const KnownEvidence &known);
const char *certaintyName(PlacedPart::Certainty certainty);

}  // namespace rankdeck
