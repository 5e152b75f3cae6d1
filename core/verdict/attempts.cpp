// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/attempts.h"

#include "core/verdict/frameworks/huggingface_runs.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

namespace rankdeck {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t savedNs(const Member &m) { return nsFromWall(savedAt(m)); }

struct Span {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    void add(std::int64_t t)
    {
        first = std::min(first, t);
        last = std::max(last, t);
    }
};

std::int64_t gap(const Span &a, const Span &b)
{
    if (a.first > b.last) return a.first - b.last;
    if (b.first > a.last) return b.first - a.last;
    return 0;
}

bool numbered(const Member &m) { return m.name.kind == CheckpointKind::periodic && m.name.epoch.has_value(); }

using RankRuns = std::map<int, Span>;  // rerun number → time span
using Alignment = std::map<int, int>;  // rerun number → attempt

struct Aligned {
    Alignment attempt = {};
    bool uncertain = false;
};

// If the rank has fewer runs than there are attempts, the runs keep their order. The assignment with the smallest
// distance in time is chosen.
Aligned align(const RankRuns &runs, const std::vector<Span> &attempts)
{
    Aligned out;
    const std::size_t n = runs.size(), a = attempts.size();
    std::vector<const Span *> spans;
    std::vector<int> numbers;
    for (const auto &[number, span] : runs) {
        numbers.push_back(number);
        spans.push_back(&span);
    }
    if (n >= a) {
        for (std::size_t i = 0; i < n; ++i) out.attempt[numbers[i]] = static_cast<int>(std::min(i, a - 1));
        return out;
    }
    constexpr double never = 1e300;
    // cost[i][j]: of the first i runs in the first j attempts.
    std::vector<std::vector<double>> cost(n + 1, std::vector<double>(a + 1, never));
    for (std::size_t j = 0; j <= a; ++j) cost[0][j] = 0;
    const auto price = [&](std::size_t i, std::size_t j) { return double(gap(*spans[i - 1], attempts[j - 1])); };
    for (std::size_t i = 1; i <= n; ++i)
        for (std::size_t j = i; j <= a; ++j) cost[i][j] = std::min(cost[i][j - 1], cost[i - 1][j - 1] + price(i, j));
    for (std::size_t i = n, j = a; i > 0; --j) {
        if (j > i && cost[i][j - 1] <= cost[i][j]) continue;
        out.attempt[numbers[i - 1]] = static_cast<int>(j - 1);
        // If another attempt is nearly as near, the times decide nothing: copied files have the times of the copy.
        for (std::size_t other = 1; other <= a; ++other)
            if (other != j && price(i, other) < price(i, j) + double(2 * second)) out.uncertain = true;
        --i;
    }
    return out;
}

struct Runs {
    std::map<int, RankRuns> byRank;
    std::vector<Span> attempts;  // attempts of the rank with the most runs, in order
};

Runs collect(const std::vector<Member> &members)
{
    Runs runs;
    auto own = runs.byRank.end();  // members usually come rank by rank
    for (const Member &m : members) {
        if (!numbered(m)) continue;
        if (own == runs.byRank.end() || own->first != m.rank) own = runs.byRank.try_emplace(m.rank).first;
        own->second[m.name.rerun].add(savedNs(m));
    }
    const RankRuns *most = nullptr;
    for (const auto &[rank, of] : runs.byRank)
        if (!most || of.size() > most->size()) most = &of;
    if (most)
        for (const auto &[number, span] : *most) runs.attempts.push_back(span);
    return runs;
}

int nearestAttempt(std::int64_t time, const std::vector<Span> &attempts)
{
    int best = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    Span self;
    self.add(time);
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        const std::int64_t distance = gap(self, attempts[i]);
        if (distance < least) {
            least = distance;
            best = static_cast<int>(i);
        }
    }
    return best;
}

using Points = std::map<std::pair<std::int64_t, std::int64_t>, std::set<int>>;  // (epoch, step) → attempts

// A file without a number in its name contains the step at which it was saved. If only one attempt saved a periodic
// checkpoint at that step, the file belongs to that attempt.
int attemptOfOther(const Member &m, const Evidence &e, const Points &points, const std::vector<Span> &attempts)
{
    const auto epoch = e.number("epoch_num"), stepNum = e.number("step_num"), batch = e.number("batch_num");
    if (epoch && stepNum && batch && *batch > 0 && *stepNum > 0) {
        const auto found = points.find({*epoch, (*stepNum - 1) % *batch + 1});
        if (found != points.end() && found->second.size() == 1) return *found->second.begin();
    }
    return nearestAttempt(savedNs(m), attempts);
}

// Uses the start times of the runs that the console saw, if it saw more runs than the names distinguish.
void byKnownStarts(const std::vector<Member> &members, const std::vector<AttemptSpan> &known, Attempts &out)
{
    for (std::size_t i = 0; i < members.size(); ++i) {
        int attempt = known.front().index;
        for (const AttemptSpan &span : known)
            if (savedAt(members[i]) + std::chrono::seconds(1) >= span.started) attempt = span.index;
        out.ofMember[i] = attempt;
        out.count = std::max(out.count, attempt + 1);
    }
}

}  // namespace

Attempts inferAttempts(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence,
                       const Expectation &expected)
{
    Attempts out;
    out.ofMember.assign(members.size(), 0);
    out.uncertain.assign(members.size(), 0);
    const Runs runs = collect(members);
    if (expected.attempts.size() > std::max<std::size_t>(runs.attempts.size(), 1)) {
        byKnownStarts(members, expected.attempts, out);
        return out;
    }
    out.count = std::max<int>(1, static_cast<int>(runs.attempts.size()));
    if (runs.attempts.size() < 2) {
        std::vector<int> trained = splitTrainerRuns(members, evidence);
        if (trained.empty()) return out;
        out.ofMember = std::move(trained);
        out.count = *std::max_element(out.ofMember.begin(), out.ofMember.end()) + 1;
        return out;
    }
    std::map<int, Aligned> aligned;
    for (const auto &[rank, own] : runs.byRank) aligned[rank] = align(own, runs.attempts);
    std::map<int, Points> points;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Member &m = members[i];
        if (!numbered(m)) continue;
        const Aligned &own = aligned[m.rank];
        out.ofMember[i] = own.attempt.at(m.name.rerun);
        out.uncertain[i] = own.uncertain;
        // The content decides if it is known, because the names of a resumed run may begin at epoch 1 again.
        const auto epoch = evidence[i]->meta.empty() ? std::nullopt : evidence[i]->number("epoch_num");
        points[m.rank][{epoch.value_or(*m.name.epoch), *m.name.step}].insert(out.ofMember[i]);
    }
    for (std::size_t i = 0; i < members.size(); ++i)
        if (!numbered(members[i]))
            out.ofMember[i] = attemptOfOther(members[i], *evidence[i], points[members[i].rank], runs.attempts);
    return out;
}

}  // namespace rankdeck
