// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the files to read next. A watched job and a single check of a directory both use it. Pure; report and
// inventory are those of judge().
#pragma once

#include "core/verdict/verdict.h"

#include <vector>

namespace rankdeck {

// Members of a set that were never requested.
std::vector<Member> unreadMembers(const CheckpointSet &set, const Inventory &inventory, const KnownEvidence &known);

// Files to read next so that the newest set that can be VALID becomes proven. Members of the newest sets come first;
// members that are known to the wanted level are left out. Empty: nothing more is needed.
std::vector<Member> wantedEvidence(const Inventory &inventory, const CheckpointReport &report,
                                   const KnownEvidence &known);

// Files to read next: first those that prove the newest set, then the older sets. Each round reads as many sets as were
// read before, so that every cell has its verdict after a few rounds. In directories with more than 2,000 files, older
// sets are read only on request.
std::vector<Member> nextToRead(const Inventory &inventory, const CheckpointReport &report, const KnownEvidence &known);

// Files that a verdict or a tracker needs and whose read failed: their node did not answer, they grew, or they were
// unreadable. The next read may succeed, even without a new listing.
std::vector<Member> silentMembers(const Inventory &inventory, const CheckpointReport &report,
                                  const KnownEvidence &known);

}  // namespace rankdeck
