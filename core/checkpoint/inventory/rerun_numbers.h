// SPDX-License-Identifier: GPL-3.0-or-later
// ModelCheckpoint numbers its runs in the prefix (lenet, lenet_1, lenet_2 …). Whether "net_1" is the second run of
// "net" or a model of that name shows only from all the names together. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <set>
#include <string>
#include <vector>

namespace rankdeck {

// Splits prefixes into base and number where a base without a number was seen, in members or in otherStems (those of
// graph.meta files, which have the prefix too).
void inferRerunNumbers(std::vector<Member> &members, const std::set<std::string> &otherStems);

}  // namespace rankdeck
