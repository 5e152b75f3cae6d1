// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/fates.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rankdeck {
namespace {

bool knowsTime(WallTime time) { return time != WallTime{}; }

// Where a training that nobody interrupts ends: at the last step of an epoch, beyond which no rank has gone. While
// others still leave that is all there is to see; when all are gone, the set of that step must be there as well.
std::optional<std::int64_t> endOfTraining(const JobState &view)
{
    std::optional<std::int64_t> last;
    bool allGone = true;
    for (const RankState &rank : view.ranks) {
        allGone = allGone && rank.alive.isNo();
        if (rank.progress.attempt == view.attempt && rank.progress.position)
            last = std::max(last.value_or(0), *rank.progress.position);
    }
    if (!last || view.stepsPerEpoch <= 1 || *last % view.stepsPerEpoch != 0) return std::nullopt;
    const auto saved = [&](const CheckpointSet &set) {
        return set.position == last && std::none_of(set.members.begin(), set.members.end(), [](const auto &member) {
                   return member.state == MemberState::missing || member.state == MemberState::torn;
               });
    };
    const SharedVector<CheckpointSet> &sets = view.checkpoints.sets;
    return !allGone || std::any_of(sets.begin(), sets.end(), saved) ? last : std::nullopt;
}

// What came after its farewell says whether a rank got away. Teardown is noisy, and who is left behind fails when others
// go: only its own exit code, a cause of its own or a save that failed tells.
bool failedOnItsWayOut(const RankState &rank)
{
    const FailureCause cause = causeOf(rank);
    if (isConsequence(cause)) return false;
    if (rank.exitCode) return *rank.exitCode != 0;
    return rank.error && (cause != FailureCause::unknown || isOfASave(rank.error->text));
}

Fate fateOf(const RankState &rank, Excuse excuse, std::optional<std::int64_t> end)
{
    if (rank.alive.isUnknown()) return Fate::unknown;
    if (rank.alive.isYes()) return Fate::runs;
    if (excuse == Excuse::proven || rank.exitCode == 0) return Fate::exited;
    if (rank.gracefulExitSeen) return failedOnItsWayOut(rank) ? Fate::died : Fate::exited;
    if (rank.exitCode) return Fate::died;
    if (rank.leaving) return Fate::leaving;
    if (rank.error) return Fate::died;
    if (excuse == Excuse::pending) return Fate::leaving;
    const bool finished = end && rank.progress.position == end;
    return rank.seenAlive && !finished ? Fate::died : Fate::ended;
}

// Who failed by itself before who only followed; then by the first word of it, and by the last sign of life.
auto blameKey(const RankState &rank)
{
    const WallTime never = WallTime::max();
    const bool victim = isConsequence(causeOf(rank));
    const WallTime told = rank.error ? rank.error->time : never;
    const std::int64_t step = rank.progress.position.value_or(0);
    return std::tuple(victim, !rank.error && !rank.exitCode, told, step, rank.progress.heard, rank.rank);
}

}  // namespace

const char *fateName(Fate fate)
{
    switch (fate) {
    case Fate::unknown: return "unknown";
    case Fate::runs: return "runs";
    case Fate::leaving: return "leaving";
    case Fate::exited: return "exited";
    case Fate::ended: return "ended";
    case Fate::died: return "died";
    }
    return "unknown";
}

Fates fatesOf(const JobState &view, Excuse excuse)
{
    Fates fates;
    fates.of.reserve(view.ranks.size());
    const std::optional<std::int64_t> end = endOfTraining(view);
    std::vector<std::pair<decltype(blameKey(RankState{})), int>> dead;
    for (const RankState &rank : view.ranks) {
        const Fate fate = fateOf(rank, excuse, end);
        fates.of.push_back(fate);
        switch (fate) {
        case Fate::unknown: fates.unknown.push_back(rank.rank); break;
        case Fate::runs: fates.running.push_back(rank.rank); break;
        case Fate::leaving: fates.leaving.push_back(rank.rank); break;
        case Fate::exited: fates.exited.push_back(rank.rank); break;
        case Fate::ended: fates.ended.push_back(rank.rank); break;
        case Fate::died: dead.emplace_back(blameKey(rank), rank.rank); break;
        }
    }
    std::sort(dead.begin(), dead.end());
    for (const auto &[key, rank] : dead) fates.died.push_back(rank);
    return fates;
}

FailureCause causeOf(const RankState &rank)
{
    return causeOf(rank.error ? std::string_view(rank.error->text) : std::string_view(), rank.exitCode);
}

std::string howItDied(const RankState &rank)
{
    std::string text;
    if (rank.error) text = rank.error->text.substr(0, rank.error->text.find('\n'));
    while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
    if (rank.exitCode && *rank.exitCode != 0) text += (text.empty() ? "" : "; ") + exitText(*rank.exitCode);
    return text;
}

std::optional<WallTime> lastSign(const RankState &rank)
{
    WallTime newest = rank.progress.heard;
    if (rank.error) newest = std::max(newest, rank.error->time);
    return knowsTime(newest) ? std::optional(newest) : std::nullopt;
}

}  // namespace rankdeck
