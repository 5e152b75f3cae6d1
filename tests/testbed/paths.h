// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of this checkout, its test data and its programs. They are functions, so that no object file contains a path of
// one machine.
#pragma once

#include <string>

namespace rankdeck {

std::string sourceDirectory();
std::string testData();         // tests/data
std::string binaryDirectory();  // the programs of this build

}  // namespace rankdeck
