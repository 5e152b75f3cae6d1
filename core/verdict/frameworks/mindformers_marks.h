// SPDX-License-Identifier: GPL-3.0-or-later
// MindFormers' own records about its checkpoints. In rank_N/meta.json is the rank's last finished save; in
// output/health_ckpts.json are the health values of saves (0 is healthy). MindFormers itself would not resume from a
// set that these records speak against. They are hints, like all trackers, and prove nothing; a set that they doubt is
// no longer proven. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct RankMark {  // of a meta.json
    std::int64_t epoch = 0, step = 0;
    std::string file = {};  // base name
};
std::optional<RankMark> parseRankMark(std::string_view bytes);  // nullopt: some other meta.json, or half written
bool isWholeJson(std::string_view bytes);                       // of the size and depth that these files have
// Base names of rank 0's files that are recorded as unhealthy. nullopt: not such a record, or half written.
std::optional<std::vector<std::string>> parseHealthRecord(std::string_view bytes);

}  // namespace rankdeck
