// SPDX-License-Identifier: GPL-3.0-or-later
// Failures against which MindSpore's fault tolerance protects the running ranks, according to their own environments.
// Pure.
#pragma once

#include "core/state/job_state.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Active modes in MS_ENABLE_TFT ("TTP", "UCE" …), in the form that MindSpore recognises: "TTP: 1" does not count.
// nullopt: the rank's environment is unknown.
std::optional<std::vector<std::string>> protectionOf(const RankState &rank);

struct Protection {
    std::vector<std::string> modes = {};  // modes that are on for at least one running rank
    int ranks = 0;                        // running ranks with all of these modes
    int known = 0;                        // running ranks whose environment is known
};
Protection protectionOf(const JobState &view);

}  // namespace rankdeck
