// SPDX-License-Identifier: GPL-3.0-or-later
// Rerun numbers in prefixes: ModelCheckpoint numbers its runs in the prefix (lenet, lenet_1, lenet_2 …). A single name
// does not show whether "net_1" is the second run of "net" or a model of that name, so all names are compared. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <set>
#include <string>
#include <vector>

namespace rankdeck {

// Splits prefixes into base and number if a base without a number was seen, in members or in otherStems. Those are the
// stems of graph.meta files, which also have the prefix.
void inferRerunNumbers(std::vector<Member> &members, const std::set<std::string> &otherStems);

}  // namespace rankdeck
