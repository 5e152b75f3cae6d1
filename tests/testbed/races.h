// SPDX-License-Identifier: GPL-3.0-or-later
// Number of rounds of a test that repeats an experiment. A few rounds run in every check; RANKDECK_RACES asks for more
// (packaging/test.sh --part races).
#pragma once

#include <cstdlib>

namespace rankdeck {

// Number of rounds in which several consoles act at the same time.
inline int raceRounds(int otherwise = 20)
{
    const char *asked = std::getenv("RANKDECK_RACES");
    return asked != nullptr ? std::atoi(asked) : otherwise;
}

// Number of random inputs for a property; each input costs processor time. The part `races` tries five times as many.
inline unsigned propertyRounds(unsigned inCheck) { return std::getenv("RANKDECK_RACES") ? 5 * inCheck : inCheck; }

// True if tests run all variants of a costly test (for example all sizes of a window): if races are repeated or
// screenshots are kept.
inline bool everyVariant() { return std::getenv("RANKDECK_RACES") || std::getenv("RANKDECK_RENDER_DIR"); }

}  // namespace rankdeck
