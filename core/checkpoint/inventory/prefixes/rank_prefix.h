// SPDX-License-Identifier: GPL-3.0-or-later
// Removal of ranks from file name prefixes: MindX DL's Pangu script names the files of rank 3 "pangu3-…". Without the
// rank, the files of all ranks have the same prefix. A single name does not show this, so all names are compared. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <vector>

namespace rankdeck {

// Takes the rank out of the prefixes of a series if at least two ranks then have the same prefix. jobPrefix: the job's,
// which distinguishes a run's number from a prefix that ends in _N; may be empty.
void takeRankOutOfPrefixes(std::vector<Member> &members, const std::string &jobPrefix);
// The parts shard_1_of_4 to shard_4_of_4 are those of ranks 0 to 3.
void countPartsFromZero(std::vector<Member> &members);

}  // namespace rankdeck
