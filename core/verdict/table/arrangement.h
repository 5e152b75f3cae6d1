// SPDX-License-Identifier: GPL-3.0-or-later
// The table of saves and places as it was inferred: for each path its save, rank and slot, and what shows them. Pure.
#pragma once

#include "core/verdict/verdict.h"

#include <vector>

namespace rankdeck {

// One row for each file of each set, in the order of the report.
std::vector<PlacedPart> arrangementOf(const CheckpointReport &report, const Inventory &inventory,
                                      const KnownEvidence &known);
const char *certaintyName(PlacedPart::Certainty certainty);

}  // namespace rankdeck
