// SPDX-License-Identifier: GPL-3.0-or-later
// Sets that were seen complete. If files of such a set disappear and newer sets exist, retention has deleted them.
// Belongs to the checkpoint monitor; one thread. Bounded: sets beyond the limit are not remembered. Cannot fail.
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
    // The newest set is included only after a later save. If one of its files disappears before that, retention is not
    // the cause.
    std::vector<std::string> before(const Inventory &inventory);
    [[nodiscard]] const std::set<std::string> &all() const { return m_all; }

private:
    std::set<std::string> m_before, m_all;
    std::optional<std::pair<std::string, WallTime>> m_newest;  // newest set, and the time of its newest file
};

}  // namespace rankdeck
