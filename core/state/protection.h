// SPDX-License-Identifier: GPL-3.0-or-later
// What MindSpore's fault tolerance protects the running ranks from, as their own environments say. Pure.
#pragma once

#include "core/state/job_state.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Modes of MS_ENABLE_TFT ("TTP", "UCE" …) that are on, as MindSpore looks for them: "TTP: 1" is none. nullopt: the rank's
// environment is not known.
std::optional<std::vector<std::string>> protectionOf(const RankState &rank);

struct Protection {
    std::vector<std::string> modes = {};  // that are on for some rank that runs
    int ranks = 0;                        // with all of these
    int known = 0;                        // ranks that run, and whose environment is known
};
Protection protectionOf(const JobState &view);

}  // namespace rankdeck
