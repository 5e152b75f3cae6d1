// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of ranks that have several files each: a file that most ranks have and one lacks, and a file that belongs to
// another rank.
#include "core/base/text.h"
#include "core/checkpoint/state_halves.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

using Ranks = std::vector<std::size_t>;

Ranks ranksWithParts(const SetAssessment &assessment)
{
    Ranks ranks;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank)
        if (const Member *member = assessment.parts[rank].member;
            member && !member->parts.empty() && assessment.judged(rank))
            ranks.push_back(rank);
    return ranks;
}

// If one rank has one file more than the others, that file may be one that only rank 0 writes.
void judgeLacking(const SetAssessment &assessment, const Ranks &ranks)
{
    std::map<std::string, std::set<std::size_t>> have;
    for (const std::size_t rank : ranks) {
        const Member &member = *assessment.parts[rank].member;
        for (const FileEntry &part : member.parts) have[nameInAllSaves(member.file.path, part.path)].insert(rank);
    }
    for (const auto &[name, holders] : have) {
        if (holders.size() == ranks.size() || 2 * holders.size() <= ranks.size()) continue;
        const auto lacking = std::find_if(ranks.begin(), ranks.end(),
                                          [&, &of = holders](std::size_t rank) { return of.count(rank) == 0; });
        assessment.blame("part_missing",
                         message("%1: %2 is missing, but %3 other ranks have it", rankText(*lacking), printable(name),
                                 grouped(std::int64_t(holders.size()))),
                         static_cast<int>(*lacking));
    }
}

// The ranks grouped by the content of their file with this name; ranks without comparable content are left out.
std::map<std::uint64_t, Ranks> alikeIn(const SetAssessment &assessment, const Ranks &ranks, const std::string &name)
{
    std::map<std::uint64_t, Ranks> alike;
    for (const std::size_t rank : ranks) {
        const auto &prints = *assessment.parts[rank].evidence->partFingerprints;
        if (const auto own = prints.find(name); own != prints.end()) alike[own->second].push_back(rank);
    }
    return alike;
}

// If most ranks have equal content, a rank with different content has a file of another save or run.
bool judgeOdd(const SetAssessment &assessment, const Ranks &ranks, const std::string &name,
              const std::map<std::uint64_t, Ranks> &alike)
{
    const auto most = std::max_element(alike.begin(), alike.end(),
                                       [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
    if (2 * most->second.size() <= ranks.size()) return false;
    const Ranks &odd = (most == alike.begin() ? std::next(most) : alike.begin())->second;
    assessment.blame("values_apart",
                     message("%1: %2 differs from the files of %3 other ranks, which all have the same values: it "
                             "belongs to another run or another save",
                             rankText(odd.front()), printable(name), grouped(std::int64_t(most->second.size()))),
                     static_cast<int>(odd.front()));
    return true;
}

// Pieces of a model, and their optimizer states, have equally many replicas. Two ranks with one optimizer state and
// different weights are not replicas.
void judgeShared(const SetAssessment &assessment, const Ranks &ranks)
{
    std::set<std::string> names;
    for (const std::size_t rank : ranks) {
        if (!assessment.parts[rank].evidence->partFingerprints) return;
        for (const auto &[name, print] : *assessment.parts[rank].evidence->partFingerprints) names.insert(name);
    }
    const auto differ = [&](std::size_t one, std::size_t other, const std::string &but) {
        return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
            const auto alike = alikeIn(assessment, {one, other}, name);
            return name != but && alike.size() > 1;
        });
    };
    for (const std::string &name : names) {
        const auto alike = alikeIn(assessment, ranks, name);
        const bool optimizer = baseName(name).starts_with("opt");
        const bool even = std::all_of(alike.begin(), alike.end(), [&](const auto &group) {
            return group.second.size() == alike.begin()->second.size();
        });
        if (!even && judgeOdd(assessment, ranks, name, alike)) return;
        for (const auto &[print, holders] : alike) {
            if (holders.size() < 2 || (even && !optimizer) || !differ(holders[0], holders[1], name)) continue;
            assessment.blame(
                "values_repeated",
                message("%1 and %2 have the same values in %3 but not in the rest: one file may be a copy of the other",
                        rankText(holders[1]), rankText(holders[0]), printable(name)),
                static_cast<int>(holders[1]));
            return;
        }
    }
}

}  // namespace

void judgeRankParts(const SetAssessment &assessment, const JudgeContext & /*context*/)
{
    if (assessment.sharedByRanks) return;
    const Ranks ranks = ranksWithParts(assessment);
    if (ranks.size() < 2) return;
    judgeLacking(assessment, ranks);
    judgeShared(assessment, ranks);
}

}  // namespace rankdeck
