// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/actions.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rankdeck {
namespace {

constexpr double computing = 0.5;  // share of a CPU

bool isStopped(const RankStack &rank) { return rank.state == 'T' || rank.state == 't'; }

std::string stateText(const RankStack &rank)
{
    if (!rank.problem.empty() || rank.state == '?') return unknownStack;
    if (isStopped(rank)) return "is stopped";
    if (rank.state == 'Z') return "has ended";
    if (rank.cpu.value_or(0) >= computing) return "computes";
    if (rank.state == 'D') return "waits for its disk";
    return "sleeps";
}

// For a rank that computes, the kernel function is meaningless, because it was caught at a random time.
std::string whereText(const RankStack &rank)
{
    if (rank.cpu.value_or(0) >= computing) return {};
    std::string where = rank.wchan;
    if (rank.syscall) where += (where.empty() ? "" : ", ") + std::string("syscall ") + std::to_string(*rank.syscall);
    return where;
}

std::string evidenceText(const RankStack &rank)
{
    std::string text = "rank " + std::to_string(rank.rank) + " on " + printable(rank.node);
    if (!rank.problem.empty()) return text + ": " + printable(rank.problem);
    text += ", pid " + std::to_string(rank.pid) + ": state " + std::string(1, rank.state);
    if (rank.cpu) text += ", " + std::to_string(std::llround(*rank.cpu * 100)) + " % of a CPU";
    if (rank.step) text += ", step " + grouped(*rank.step);
    if (!rank.lastLine.empty()) text += ", last line: " + rank.lastLine;
    return text;
}

// Ranks that differ from the rest, by the first test that finds any. The tests: a stopped process, a process that waits
// for its disk, a rank that is behind, a small group.
std::vector<int> suspectsOf(const std::vector<RankStack> &ranks, const std::vector<StackGroup> &groups)
{
    std::vector<int> found;
    const auto pick = [&](auto differs) {
        std::vector<int> some;
        for (const RankStack &rank : ranks)
            if (rank.problem.empty() && differs(rank)) some.push_back(rank.rank);
        if (found.empty() && some.size() < ranks.size()) found = std::move(some);
    };
    pick(isStopped);
    pick([](const RankStack &rank) { return rank.state == 'D'; });
    std::optional<std::int64_t> oldest, newest;
    for (const RankStack &rank : ranks) {
        if (!rank.step) continue;
        oldest = std::min(oldest.value_or(*rank.step), *rank.step);
        newest = std::max(newest.value_or(*rank.step), *rank.step);
    }
    if (oldest && *oldest < *newest) pick([&](const RankStack &rank) { return rank.step == oldest; });
    if (!found.empty() || groups.size() < 2) return found;
    const StackGroup &few = groups.front();
    const bool minority = few.ranks.size() * 3 <= ranks.size() && few.state != unknownStack;
    return minority ? few.ranks : found;
}

}  // namespace

StackReport groupStacks(const std::vector<RankStack> &ranks)
{
    std::map<std::pair<std::string, std::string>, StackGroup> byWhat;
    for (const RankStack &rank : ranks) {
        const std::string state = stateText(rank), where = state == unknownStack ? "" : whereText(rank);
        StackGroup &group = byWhat[{state, where}];
        group.state = state;
        group.where = where;
        group.ranks.push_back(rank.rank);
        group.evidence.push_back(evidenceText(rank));
    }
    StackReport report;
    for (auto &[what, group] : byWhat) report.groups.push_back(std::move(group));
    std::stable_sort(report.groups.begin(), report.groups.end(),
                     [](const StackGroup &a, const StackGroup &b) { return a.ranks.size() < b.ranks.size(); });
    report.suspects = suspectsOf(ranks, report.groups);
    return report;
}

}  // namespace rankdeck
