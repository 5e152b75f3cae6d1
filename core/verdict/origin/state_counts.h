// SPDX-License-Identifier: GPL-3.0-or-later
// What a state file of each save of a run has counted, against the steps of the saves: the one that is of another save or
// another run shows in that all others fit together, and it does not fit to them. Pure; no answer where they do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rankdeck {

struct StateCount {
    std::size_t save = 0;  // in its run
    std::int64_t position = 0, value = 0;
};

// By position, which is larger than 0; no product of two of the numbers may overflow. Of what counts the steps, some for each, or each so many of them; of data it begins anew with every epoch.
// nullopt: none is off, or nothing shows which one is to be doubted.
std::optional<std::size_t> countThatIsOff(const std::vector<StateCount> &all, bool ofData);

}  // namespace rankdeck
