// SPDX-License-Identifier: GPL-3.0-or-later
// Failures from which MindSpore's fault tolerance protects the running ranks, by their own environments. Pure.
#pragma once

#include "core/state/job_state.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Active modes of MS_ENABLE_TFT ("TTP", "UCE" …), as MindSpore searches for them: "TTP: 1" does not count. nullopt: the
// rank's environment is unknown.
std::optional<std::vector<std::string>> protectionOf(const RankState &rank);

struct Protection {
    std::vector<std::string> modes = {};  // that are on for some rank that runs
    int ranks = 0;                        // with all of these
    int known = 0;                        // ranks that run, and whose environment is known
};
Protection protectionOf(const JobState &view);

}  // namespace rankdeck
