// SPDX-License-Identifier: GPL-3.0-or-later
// What to read next: decided here and nowhere else, for a job that is watched as for a directory that is looked at once.
// Pure; report and inventory as judge() had and made them.
#pragma once

#include "core/verdict/verdict.h"

#include <vector>

namespace rankdeck {

// Members of a set that were never asked for.
std::vector<Member> unreadMembers(const CheckpointSet &set, const Inventory &inventory, const KnownEvidence &known);

// What to read next so that the newest set that can be VALID becomes proven: members of the newest sets first, none that
// is known to the wanted level already. Empty: nothing more is needed.
std::vector<Member> wantedEvidence(const Inventory &inventory, const CheckpointReport &report,
                                   const KnownEvidence &known);

// What to read next: first what proves the newest set, then the older sets, each time as many as are known already, so that
// every cell has its verdict in a few rounds. In directories of more than 2,000 files older sets are read only when they are asked for.
std::vector<Member> nextToRead(const Inventory &inventory, const CheckpointReport &report, const KnownEvidence &known);

// Files that a verdict or a tracker waits for and that were asked for in vain: their node did not answer, they grew, they
// could not be read. The next answer may be another one, without any new listing.
std::vector<Member> silentMembers(const Inventory &inventory, const CheckpointReport &report,
                                  const KnownEvidence &known);

}  // namespace rankdeck
