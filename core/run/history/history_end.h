// SPDX-License-Identifier: GPL-3.0-or-later
// State of a job when its history was last written, for a list of ended jobs. Its curves are not loaded. Reads one
// small part of the file and writes nothing. Fails if the file is not a history, is damaged or has a newer version.
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct HistoryEnd {
    std::string job = {};                       // as JSON
    int attempt = -1;                           // the last one; -1: none was seen
    int ranks = 0;                              // number of ranks that logged in it
    WallTime heard = {};                        // time of the last sample; the epoch: none
    std::optional<std::int64_t> position = {};  // position of the last sample
    struct Death {
        int rank = -1;
        WallTime time = {};
    };
    std::vector<Death> deaths = {};       // deaths in the last attempt, in order of time
    std::vector<int> gracefulExits = {};  // ranks that logged a graceful exit in it
};

Result<HistoryEnd> readHistoryEnd(const std::string &path);

}  // namespace rankdeck
