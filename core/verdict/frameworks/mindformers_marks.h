// SPDX-License-Identifier: GPL-3.0-or-later
// MindFormers' own records about its checkpoints. rank_N/meta.json has the rank's last finished save;
// output/health_ckpts.json has the health values of saves (0 is healthy). MindFormers itself does not resume from a set
// that these records reject. Like all trackers they are hints and prove nothing, but a set that they doubt is no longer
// proven. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct RankMark {  // content of a meta.json
    std::int64_t epoch = 0, step = 0;
    std::string file = {};  // base name
};
std::optional<RankMark> parseRankMark(std::string_view bytes);  // nullopt: some other meta.json, or half written
bool isWholeJson(std::string_view bytes);                       // true if complete, and of a plausible size and depth
// Base names of rank 0's files that are recorded as unhealthy. nullopt: not such a record, or half written.
std::optional<std::vector<std::string>> parseHealthRecord(std::string_view bytes);

}  // namespace rankdeck
