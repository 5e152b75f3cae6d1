// SPDX-License-Identifier: GPL-3.0-or-later
// State of a job when its history was last written, without loading its curves: for a list of ended jobs. Reads one
// small part of the file and writes nothing. Fails if the file is not a history, is damaged or of a newer version.
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
    int ranks = 0;                              // that logged in it
    WallTime heard = {};                        // the last sample; the epoch: none
    std::optional<std::int64_t> position = {};  // on the axis
    struct Death {
        int rank = -1;
        WallTime time = {};
    };
    std::vector<Death> deaths = {};       // of the last attempt, in the order of time
    std::vector<int> gracefulExits = {};  // ranks that logged one in it
};

Result<HistoryEnd> readHistoryEnd(const std::string &path);

}  // namespace rankdeck
