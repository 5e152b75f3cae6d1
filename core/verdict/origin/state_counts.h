// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of a state file's counts in all saves of a run with the steps of the saves. A file of another save or
// another run is detected if all other counts fit together and its own does not. Pure; no result if the others do not
// fit together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rankdeck {

struct StateCount {
    std::size_t save = 0;  // index in its run
    std::int64_t position = 0, value = 0;
};

// all: ordered by position, each above 0; the product of any two numbers must not overflow. Counts have a fixed number
// per step, or one count per fixed number of steps; a data count restarts in every epoch. Returns nullopt if all fit,
// or if nothing shows which one is wrong.
std::optional<std::size_t> countThatIsOff(const std::vector<StateCount> &all, bool ofData);

}  // namespace rankdeck
