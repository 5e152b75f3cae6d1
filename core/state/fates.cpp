// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/fates.h"

#include "core/base/text.h"

#include <algorithm>
#include <csignal>
#include <tuple>
#include <utility>

namespace rankdeck {
namespace {

bool knowsTime(WallTime time) { return time != WallTime{}; }

struct TrainingEnd {
    std::int64_t step = 0;
    bool said = false;  // the job's own lines name this step: "500/500"
    // Latest time at which a rank that ended at this step may have left. A rank that left later was in the next epoch.
    std::optional<WallTime> leftBy = {};
};

constexpr double shortestLeave = 10;  // seconds
constexpr double partOfAnEpoch = 0.1;

// If there is one line per epoch, the newest line is always at the end of an epoch. A rank that ended its training
// there left soon after that line and its set.
std::optional<WallTime> leftBy(const JobState &view, std::int64_t last)
{
    if (!logsOnceAnEpoch(view)) return std::nullopt;
    WallTime newest = {};
    double epoch = view.stepSeconds.value_or(0);
    for (const RankState &rank : view.ranks) {
        if (rank.progress.attempt != view.attempt || rank.progress.position != last) continue;
        newest = std::max(newest, rank.progress.heard);
        epoch = std::max(epoch, rank.progress.stepSeconds.value_or(0));
    }
    for (const CheckpointSet &set : view.checkpoints.sets)
        if (set.position == last && set.time) newest = std::max(newest, *set.time);
    const double soon = partOfAnEpoch * epoch * static_cast<double>(view.stepsPerEpoch);
    return secondsAfter(newest, std::max(shortestLeave, soon));
}

// True if it ended by a signal that a stop may use, or by a shell's exit code for such a signal.
bool endedAsAsked(const RankState &rank)
{
    const int code = rank.exitCode.value_or(0), signal = code < 0 ? -code : code - 128;
    return !rank.oomKill && !rank.error &&
           (signal == SIGTERM || signal == SIGINT || signal == SIGUSR1 || signal == SIGUSR2);
}

// True if something shows that this rank did not reach an ordinary end.
bool showsFailure(const RankState &rank)
{
    return rank.error || rank.oomKill || (rank.exitCode.value_or(0) != 0 && !endedAsAsked(rank));
}

// End of a training that was not interrupted: the end that its own lines name, otherwise the last step of an epoch. No
// rank has gone beyond it. As long as other ranks are still leaving, that step is the only sign. When all are gone, the
// set of that step must exist as well. A failure of any rank refutes it: ranks also die at the end of an epoch, while
// they save or evaluate.
std::optional<TrainingEnd> endOfTraining(const JobState &view)
{
    std::optional<std::int64_t> last, total;
    bool allGone = true;
    for (const RankState &rank : view.ranks) {
        allGone = allGone && rank.alive.isNo();
        if (rank.progress.attempt != view.attempt || !rank.progress.position) continue;
        last = std::max(last.value_or(0), *rank.progress.position);
        if (rank.progress.total) total = std::max(total.value_or(0), *rank.progress.total);
    }
    if (!last) return std::nullopt;
    if (total.value_or(0) > 0 && *last >= *total) return TrainingEnd{*last, true};
    if (view.stepsPerEpoch <= 1 || *last % view.stepsPerEpoch != 0) return std::nullopt;
    if (std::any_of(view.ranks.begin(), view.ranks.end(), showsFailure)) return std::nullopt;
    const auto saved = [&](const CheckpointSet &set) {
        return set.position == last && std::none_of(set.members.begin(), set.members.end(), [](const auto &member) {
                   return member.state == MemberState::missing || member.state == MemberState::torn;
               });
    };
    const SharedVector<CheckpointSet> &sets = view.checkpoints.sets;
    if (allGone && std::none_of(sets.begin(), sets.end(), saved)) return std::nullopt;
    return TrainingEnd{.step = *last, .leftBy = leftBy(view, *last)};
}

// True if the rank has reached that end. For a rank that logs no steps, only the job's own lines can show this.
bool hasFinished(const RankState &rank, const JobState &view, const std::optional<TrainingEnd> &end)
{
    if (!end) return false;
    const std::optional<WallTime> there = rank.listedLast ? rank.listedLast : rank.goneSince;
    if (end->leftBy && there && *there > *end->leftBy) return false;
    const bool logs = rank.progress.attempt == view.attempt && rank.progress.position;
    return logs ? rank.progress.position == end->step : end->said;
}

// True if the rank failed after its exit line. Messages during an exit are noisy, and remaining ranks fail when others
// end. Therefore only its own exit code, a cause of its own or a failed save counts.
bool failedOnItsWayOut(const RankState &rank)
{
    const FailureCause cause = causeOf(rank);
    if (isConsequence(cause)) return false;
    if (rank.oomKill) return true;
    if (rank.exitCode) return *rank.exitCode != 0;
    return rank.error && (cause != FailureCause::unknown || isOfASave(rank.error->text));
}

Fate fateOf(const RankState &rank, Excuse excuse, bool finished)
{
    if (rank.alive.isUnknown()) return Fate::unknown;
    if (rank.alive.isYes()) return Fate::runs;
    if (excuse == Excuse::proven || rank.exitCode == 0) return Fate::exited;
    if (rank.gracefulExitSeen) return failedOnItsWayOut(rank) ? Fate::died : Fate::exited;
    if (excuse == Excuse::pending && endedAsAsked(rank)) return Fate::leaving;
    if (rank.exitCode || rank.oomKill) return Fate::died;
    if (rank.leaving) return Fate::leaving;
    if (rank.error) return Fate::died;
    if (excuse == Excuse::pending) return Fate::leaving;
    return rank.seenAlive && !finished ? Fate::died : Fate::ended;
}

struct Death {
    int rank = 0;
    bool victim = false;         // it failed because of another rank
    bool withoutReason = false;  // no log shows why
    std::int64_t step = 0;
    DeathSpan span = {};
};

// Time span of a death. An error is read soon after it was written. A process without an error ended after it was last
// listed or wrote its last log line.
Death deathOf(const RankState &rank)
{
    Death death{.rank = rank.rank, .victim = isConsequence(causeOf(rank))};
    // A SIGKILL explains how the rank ended, but not which rank was first. The end of a process is not always seen.
    const bool killed = rank.exitCode && (*rank.exitCode == -SIGKILL || *rank.exitCode == 128 + SIGKILL);
    death.withoutReason = !rank.error && !rank.oomKill && (!rank.exitCode || killed);
    death.step = rank.progress.position.value_or(0);
    death.span.latest = rank.error ? rank.error->time : rank.goneSince.value_or(WallTime::max());
    const WallTime lived = std::max(rank.progress.heard, rank.listedLast.value_or(WallTime{}));
    const WallTime from = rank.error ? rank.error->time : knowsTime(lived) ? lived : death.span.latest;
    if (from != WallTime::max()) death.span.earliest = secondsAfter(from, -readingDelay);
    // The error line arrived after the process was seen to be gone.
    death.span.latest = std::max(death.span.latest, death.span.earliest);
    return death;
}

// Ranks that failed for their own reason come before their victims. The first are those that no other rank is known to
// precede. If some of these have a known cause, only they are first. The rest is sorted by step and rank, never by the
// order in which logs were read.
void sortDeaths(std::vector<Death> &deaths, Fates &fates)
{
    if (deaths.empty()) return;
    const auto key = [](const Death &death) { return std::tuple(death.victim, death.step, death.rank); };
    std::sort(deaths.begin(), deaths.end(), [&](const Death &a, const Death &b) { return key(a) < key(b); });
    std::vector<DeathSpan> spans;
    for (const Death &death : deaths)
        if (death.victim == deaths.front().victim) spans.push_back(death.span);
    std::vector<std::size_t> first = firstOf(spans);
    const auto isWithoutReason = [&](std::size_t i) { return deaths[i].withoutReason; };
    if (!std::all_of(first.begin(), first.end(), isWithoutReason))
        first.erase(std::remove_if(first.begin(), first.end(), isWithoutReason), first.end());
    for (const std::size_t i : first) fates.diedFirst.push_back(deaths[i].rank);
    fates.died = fates.diedFirst;
    for (std::size_t i = 0; i < deaths.size(); ++i)
        if (!std::binary_search(first.begin(), first.end(), i)) fates.died.push_back(deaths[i].rank);
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
    const std::optional<TrainingEnd> end = endOfTraining(view);
    std::vector<Death> deaths;
    for (const RankState &rank : view.ranks) {
        const Fate fate = fateOf(rank, excuse, hasFinished(rank, view, end));
        fates.of.push_back(fate);
        switch (fate) {
        case Fate::unknown: fates.unknown.push_back(rank.rank); break;
        case Fate::runs: fates.running.push_back(rank.rank); break;
        case Fate::leaving: fates.leaving.push_back(rank.rank); break;
        case Fate::exited: fates.exited.push_back(rank.rank); break;
        case Fate::ended: fates.ended.push_back(rank.rank); break;
        case Fate::died: deaths.push_back(deathOf(rank)); break;
        }
    }
    sortDeaths(deaths, fates);
    return fates;
}

std::vector<std::size_t> firstOf(const std::vector<DeathSpan> &spans)
{
    WallTime soonest = WallTime::max();
    for (const DeathSpan &span : spans) soonest = std::min(soonest, span.latest);
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (spans[i].earliest <= soonest) first.push_back(i);
    return first;
}

FailureCause causeOf(const RankState &rank)
{
    if (rank.oomKill) return rank.oomKill->ofGroup ? FailureCause::groupOutOfMemory : FailureCause::outOfMemory;
    return causeOf(rank.error ? std::string_view(rank.error->text) : std::string_view(), rank.exitCode);
}

std::string howItDied(const RankState &rank)
{
    std::string text;
    if (rank.oomKill)
        text = rank.oomKill->text;
    else if (rank.error)
        text = rank.error->text.substr(0, rank.error->text.find('\n'));
    text = withoutStop(std::move(text));
    if (rank.exitCode && *rank.exitCode != 0) text += (text.empty() ? "" : "; ") + exitText(*rank.exitCode);
    return text;
}

bool mayStillSpeak(const RankState &rank, WallTime now)
{
    return !rank.error && rank.goneSince && secondsBetween(*rank.goneSince, now) < lastLinesDelay;
}

std::optional<WallTime> lastSign(const RankState &rank)
{
    WallTime newest = rank.progress.heard;
    if (rank.error) newest = std::max(newest, rank.error->time);
    if (rank.goneSince && rank.listedLast) newest = std::max(newest, std::min(*rank.listedLast, *rank.goneSince));
    return knowsTime(newest) ? std::optional(newest) : std::nullopt;
}

}  // namespace rankdeck
