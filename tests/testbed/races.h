// SPDX-License-Identifier: GPL-3.0-or-later
// Number of rounds of a test in which several consoles act at once. A few rounds run in every check; RANKDECK_RACES asks
// for more (packaging/test.sh --part races).
#pragma once

#include <cstdlib>

namespace rankdeck {

inline int raceRounds(int otherwise = 20)
{
    const char *asked = std::getenv("RANKDECK_RACES");
    return asked != nullptr ? std::atoi(asked) : otherwise;
}

}  // namespace rankdeck
