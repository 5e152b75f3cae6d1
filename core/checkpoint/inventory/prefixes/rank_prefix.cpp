// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/prefixes/rank_prefix.h"

#include "core/base/text.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace rankdeck {
namespace {

struct AroundRank {
    std::string base;
    std::string run;  // "_1" after the rank
};

bool mayHaveRank(const Member &member)
{
    const bool numbered =
        member.name.kind == CheckpointKind::periodic || member.name.kind == CheckpointKind::breakpoint;
    return numbered && member.rank >= 0 && member.parts.empty() && member.name.epoch && !member.name.rank;
}

// "pangu" and "_1" for "pangu3_1" of rank 3.
std::optional<AroundRank> splitAtRank(const std::string &prefix, int rank)
{
    std::string stem = prefix, run;
    const std::string number = std::to_string(rank);
    for (int round = 0; round < 2; ++round) {
        const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
        // The digits must be the whole number: "pangu13" does not end in rank 3.
        if (digits > 0 && stem.compare(digits, std::string::npos, number) == 0)
            return AroundRank{stem.substr(0, digits), run};
        if (digits < 2 || digits == stem.size() || stem[digits - 1] != '_') return std::nullopt;
        run = stem.substr(digits - 1);
        stem.resize(digits - 1);
    }
    return std::nullopt;
}

}  // namespace

void takeRankOutOfPrefixes(std::vector<Member> &members, const std::string &jobPrefix)
{
    std::map<std::pair<std::string, std::string>, std::set<int>> ranks;  // (series, base) → ranks
    for (const Member &member : members)
        if (mayHaveRank(member))
            if (const auto split = splitAtRank(member.name.prefix, member.rank))
                ranks[{member.series, split->base}].insert(member.rank);
    for (Member &member : members) {
        if (!mayHaveRank(member)) continue;
        const auto split = splitAtRank(member.name.prefix, member.rank);
        if (!split || split->base.back() == '_' || ranks[{member.series, split->base}].size() < 2) continue;
        member.name.prefix = split->base + split->run;
        const auto rerun = rerunNumber(member.name.prefix, jobPrefix);
        if (!rerun) continue;
        member.name.prefix = jobPrefix;
        member.name.rerun = *rerun;
    }
}

void countPartsFromZero(std::vector<Member> &members)
{
    const auto isPart = [](const Member &member) {
        const ParsedName &name = member.name;
        return name.kind == CheckpointKind::other && name.rank && name.worldSize && member.rank == *name.rank;
    };
    std::map<std::tuple<std::string, std::string, int>, std::set<int>> rows;  // series, prefix, number of parts
    const auto rowOf = [](const Member &member) {
        return std::tuple(member.series, member.name.prefix, *member.name.worldSize);
    };
    for (const Member &member : members)
        if (isPart(member)) rows[rowOf(member)].insert(member.rank);
    for (Member &member : members) {
        if (!isPart(member)) continue;
        const std::set<int> &seen = rows[rowOf(member)];
        if (seen.count(0) != 0 || seen.count(*member.name.worldSize) == 0) continue;
        --member.rank;
        member.name.rank = member.rank;
    }
}

}  // namespace rankdeck
