// SPDX-License-Identifier: GPL-3.0-or-later
// Which sets were seen with all their ranks: when files of such a set go and newer ones are there, retention took them.
// Owned by the watch over checkpoints; one thread; bounded. Cannot fail: what is too much to remember is not
// remembered.
#pragma once

#include "core/verdict/verdict.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

class WholeSets {
public:
    void remember(const CheckpointReport &report);
    // The newest one is among them only once something was saved after it: when a file of that goes before, something
    // else than retention took it.
    std::vector<std::string> before(const Inventory &inventory);
    [[nodiscard]] const std::set<std::string> &all() const { return m_all; }

private:
    std::set<std::string> m_before, m_all;
    std::optional<std::pair<std::string, WallTime>> m_newest;  // with the time of its newest file
};

}  // namespace rankdeck
