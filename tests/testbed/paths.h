// SPDX-License-Identifier: GPL-3.0-or-later
// Where this checkout, its test data and its programs are. Functions, so that no object file holds a path of one machine.
#pragma once

#include <string>

namespace rankdeck {

std::string sourceDirectory();
std::string testData();         // tests/data
std::string binaryDirectory();  // the programs of this build

}  // namespace rankdeck
