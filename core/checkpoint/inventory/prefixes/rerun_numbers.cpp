// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/prefixes/rerun_numbers.h"

#include "core/base/text.h"

#include <map>

namespace rankdeck {
namespace {

bool isNumbered(const ParsedName &name)
{
    return name.epoch && !name.rank &&
           (name.kind == CheckpointKind::periodic || name.kind == CheckpointKind::breakpoint);
}

struct StemAndRun {
    std::string base;
    int number = 0;
};

StemAndRun splitStem(const std::string &stem, const std::set<std::string> &bases)
{
    const std::size_t joint = stem.find_last_of("_-");
    if (joint == std::string::npos || joint == 0) return {stem, 0};
    const std::string base = stem.substr(0, joint);
    const auto number = rerunNumber(stem, base);
    if (!number || !bases.count(base)) return {stem, 0};
    return {base, *number};
}

}  // namespace

void inferRerunNumbers(std::vector<Member> &members, const std::set<std::string> &otherStems)
{
    std::set<std::string> bases = otherStems;
    for (const Member &member : members)
        if (isNumbered(member.name) && member.name.rerun == 0) bases.insert(member.name.prefix);
    std::map<std::string, StemAndRun> splits;
    for (Member &member : members) {
        if (!isNumbered(member.name) || member.name.rerun != 0) continue;
        auto [found, added] = splits.try_emplace(member.name.prefix);
        if (added) found->second = splitStem(member.name.prefix, bases);
        member.name.prefix = found->second.base;
        member.name.rerun = found->second.number;
    }
}

}  // namespace rankdeck
