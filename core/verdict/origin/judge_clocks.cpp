// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of wrong node clocks. A node with a wrong clock seems to write its part of every save with the same delay.
// If all saves of a run show that delay, different times prove nothing about the content.
#include "core/base/text.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rankdeck {
namespace {

using Delays = std::map<std::string, double>;  // name of a part → seconds after the earliest part of its save

Delays delaysOfParts(const Member &member)
{
    Delays out;
    if (member.parts.empty()) return out;
    const auto earliest = std::min_element(member.parts.begin(), member.parts.end(), [](const auto &a, const auto &b) {
                              return a.stat.mtimeNs < b.stat.mtimeNs;
                          })->stat.mtimeNs;
    for (const FileEntry &part : member.parts)
        out[part.path.substr(std::min(member.file.path.size(), part.path.size()))] =
            double(part.stat.mtimeNs - earliest) / 1e9;
    return out;
}

bool alike(const Delays &a, const Delays &b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto &x, const auto &y) {
               return x.first == y.first && std::abs(x.second - y.second) < threshold::seconds(threshold::sameDelay);
           });
}

}  // namespace

void judgeClocks(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    std::map<std::pair<std::string, int>, std::vector<std::pair<std::size_t, Delays>>> runs;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const SetAssessment &assessment = assessments[i];
        if (!assessment.sharedByRanks || assessment.parts.empty() || !assessment.parts.front().member) continue;
        const Member &member = *assessment.parts.front().member;
        if (member.parts.size() > 1)
            runs[{member.series, assessment.set.attempt}].emplace_back(i, delaysOfParts(member));
    }
    for (const auto &[run, saves] : runs) {
        if (saves.size() < 2) continue;
        const Delays &first = saves.front().second;
        if (!std::all_of(saves.begin(), saves.end(), [&](const auto &save) { return alike(save.second, first); }))
            continue;
        for (const auto &[at, delays] : saves)
            assessments[at].explain(
                "times_apart",
                message("; the difference is the same in all %1 saves of this run: a node's clock is wrong",
                        grouped(std::int64_t(saves.size()))));
    }
}

}  // namespace rankdeck
