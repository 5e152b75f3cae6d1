// SPDX-License-Identifier: GPL-3.0-or-later
// MindX DL's Pangu script names the files of rank 3 "pangu3-…": the rank is a part of the prefix, and without it the
// files of all ranks have one. Shows only from all the names together. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <vector>

namespace rankdeck {

// Takes the rank out of the prefixes of a series when at least two ranks have the same prefix without it. jobPrefix: the
// job's, which tells a run's number from a prefix that ends in _N; may be empty.
void takeRankOutOfPrefixes(std::vector<Member> &members, const std::string &jobPrefix);
// shard_1_of_4 to shard_4_of_4 are those of the ranks 0 to 3.
void countPartsFromZero(std::vector<Member> &members);

}  // namespace rankdeck
