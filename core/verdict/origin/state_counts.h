// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of a state file's counts in all saves of a run with the steps of the saves. A file of another save or
// another run is visible if all others fit together but it does not. Pure; no answer if the others do not fit together.
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

// all: by position, which is larger than 0; no product of two of the numbers may overflow. Steps have a fixed number of
// counts per step, or a fixed number of steps per count; a data count begins again with every epoch. Returns nullopt if
// all fit, or if nothing shows which one is wrong.
std::optional<std::size_t> countThatIsOff(const std::vector<StateCount> &all, bool ofData);

}  // namespace rankdeck
