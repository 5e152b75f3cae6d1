// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/paths.h"

namespace rankdeck {

std::string sourceDirectory() { return RANKDECK_SOURCE_DIR; }
std::string testData() { return sourceDirectory() + "/tests/data"; }
std::string binaryDirectory() { return RANKDECK_BINARY_DIR; }

}  // namespace rankdeck
