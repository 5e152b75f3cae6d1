// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/stop_progress.h"

#include "core/recover/stop_method.h"
#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace rankdeck::ui {

namespace {

struct Story {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Story)
};
using Mark = Stage::Mark;

constexpr double rungsAfter = 120;  // seconds from arming
constexpr double hangsAfter = 30;   // seconds by which a rank is later than the last one that confirmed

struct Progress {
    int all = 0, armed = 0, confirmed = 0, saved = 0, exited = 0;
};

Progress progressOf(const ExitReport &exit)
{
    Progress sum;
    for (const RankExit &rank : exit.ranks) {
        ++sum.all;
        sum.armed += rank.armed || rank.confirmed ? 1 : 0;
        sum.confirmed += rank.confirmed ? 1 : 0;
        sum.saved += rank.savedVerdict == Verdict::valid ? 1 : 0;
        sum.exited += rank.exited ? 1 : 0;
    }
    return sum;
}

// The current or last exit; before the first one, the fresh preflight.
const ExitReport &told(const Snapshot &s) { return s.exit ? *s.exit : s.exitPreflight; }

// The ways to force a stop: those of the current exit, otherwise those of the latest preflight, if it knows a process.
const std::vector<ExitRung> &newestLadder(const Snapshot &s)
{
    const bool known = std::any_of(s.exitPreflight.ladder.begin(), s.exitPreflight.ladder.end(),
                                   [](const ExitRung &rung) { return !rung.targets.empty(); });
    return s.exit && (exitRuns(s) || !known) ? s.exit->ladder : s.exitPreflight.ladder;
}

bool isGone(const Snapshot &s, const ProcessTarget &target)
{
    return std::any_of(s.view.ranks.begin(), s.view.ranks.end(), [&](const RankState &rank) {
        return rank.rank == target.rank && rank.node == target.node && rank.alive.isNo();
    });
}

// Removes processes that have ended since the list was made, some seconds ago.
std::vector<ProcessTarget> stillThere(const Snapshot &s, const std::vector<ProcessTarget> &targets)
{
    std::vector<ProcessTarget> left;
    std::copy_if(targets.begin(), targets.end(), std::back_inserter(left),
                 [&](const ProcessTarget &target) { return !isGone(s, target); });
    return left;
}

// Number of deaths in the attempt that is or was being stopped, as core/state/fates.h decides.
int diedIn(const Snapshot &s, WallTime now)
{
    return exitOfAttempt(s) ? static_cast<int>(pictureOf(s, now).fates.died.size()) : 0;
}

// The number of ranks that have obeyed, as far as the kind of stop request shows it.
QString obeyedWords(const Progress &sum, const StopWay &way)
{
    return way.leavesLines ? Story::tr("%1 ranks confirmed").arg(nOf(sum.confirmed, sum.all))
                           : Story::tr("%1 ranks have left").arg(nOf(sum.exited, sum.all));
}

// Title of a stop that ended without a proof. If all processes have ended, it does not say that the run continues.
QString unprovenTitle(const Snapshot &s, WallTime now, const QString &obeyed)
{
    const Fates fates = pictureOf(s, now).fates;
    if (fates.anyRuns() || !fates.unknown.empty()) return Story::tr("Not stopped: %1").arg(obeyed);
    const int died = diedIn(s, now);
    return died > 0 ? Story::tr("Stop failed: %1 ranks died").arg(nOf(died, static_cast<int>(s.view.ranks.size())))
                    : Story::tr("Stop not proven: %1").arg(obeyed);
}

bool begun(const Snapshot &s) { return s.exit && s.exit->outcome != "refused" && s.exit->phase != "preflight"; }

Stage preflightStage(const Snapshot &s)
{
    const ExitReport &exit = told(s);
    int warned = 0, refused = 0;
    for (const Finding &finding : exit.preflight) {
        warned += finding.result == Finding::Result::warn ? 1 : 0;
        refused += finding.result == Finding::Result::refuse ? 1 : 0;
    }
    const int all = static_cast<int>(exit.preflight.size());
    Stage stage{Mark::open, Story::tr("Preflight"), {}};
    if (all == 0) {
        stage.mark = s.exitPreflightAt || begun(s) ? Mark::done : Mark::busy;
        stage.text = stage.mark == Mark::busy ? Story::tr("is being checked") : Story::tr("no objections");
    } else if (refused > 0) {
        stage = {Mark::refused, stage.name, Story::tr("%1 checks refuse", nullptr, refused).arg(nOf(refused, all))};
    } else if (warned > 0) {
        stage = {Mark::warns, stage.name,
                 Story::tr("%1 checks passed, %n warning(s)", nullptr, warned).arg(number(all - warned))};
    } else {
        stage = {Mark::done, stage.name, Story::tr("%n check(s) passed", nullptr, all)};
    }
    return stage;
}

Mark markOf(int part, int all, bool now)
{
    if (all > 0 && part >= all) return Mark::done;
    return part > 0 || now ? Mark::busy : Mark::open;
}

QString savedWords(const ExitReport &exit, const Progress &sum)
{
    int writing = 0;
    for (const RankExit &rank : exit.ranks)
        writing += !rank.savedPath.empty() && rank.savedVerdict != Verdict::valid ? 1 : 0;
    if (sum.saved == 0 && writing == 0) return {};
    QString words = Story::tr("%1 files proven").arg(nOf(sum.saved, sum.all));
    if (writing > 0) words += Story::tr(", %1 seen").arg(number(writing));
    return words;
}

}  // namespace

StopWay stopWay(const Snapshot &s)
{
    const StopMethod told = rankdeck::ui::told(s).way;
    const StopMethod way = told != StopMethod::none ? told : exitWayOf(s.view.job);
    if (way == StopMethod::none) return {};
    return {.leavesLines = isConfirmed(way), .leavesAFile = leavesAFile(way), .isFlag = isConfirmed(way)};
}

bool savesNothing(const Snapshot &s)
{
    const std::vector<Finding> &findings = told(s).preflight;
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding &finding) { return finding.code == "saves_nothing"; });
}

std::optional<Alarm> stuckStop(const Snapshot &s, WallTime now)
{
    if (!exitRuns(s)) return std::nullopt;
    for (Alarm &alarm : findAlarms(pictureOf(s, now)))
        if (alarm.code == AlarmCode::stopStuck) return std::move(alarm);
    return std::nullopt;
}

std::vector<Stage> stopStages(const Snapshot &s, WallTime now)
{
    const std::optional<Alarm> stuck = stuckStop(s, now);
    const int died = diedIn(s, now);
    const ExitReport &exit = told(s);
    std::vector<Stage> stages{preflightStage(s)};
    const bool on = begun(s);
    const Progress sum = on ? progressOf(exit) : Progress{};
    const int flags = static_cast<int>(s.view.flags.size());
    const ArmedState armed = armedState(s);

    const StopWay way = stopWay(s);
    Stage arm{on ? markOf(sum.armed, sum.all, true) : Mark::open, Story::tr("Armed"), {}};
    if (on && armed.armed && way.leavesAFile) {
        const QString nodes = nOf(static_cast<int>(armed.nodes.size()), flags);
        arm.text = way.isFlag ? Story::tr("%1 nodes, flag re-read as 1").arg(nodes)
                              : Story::tr("the stop file exists on %1 nodes").arg(nodes);
    } else if (on && exit.outcome.empty() && exit.phase == "arming")
        arm.text = !way.leavesAFile ? Story::tr("the signal is being sent")
                   : way.isFlag     ? Story::tr("the flag is being written")
                                    : Story::tr("the stop file is being created");
    else if (on && arm.mark == Mark::done)
        arm.text = Story::tr("%1 ranks were asked").arg(nOf(sum.armed, sum.all));
    stages.push_back(arm);

    const std::vector<int> unheard = ranksWithoutContact(s);
    const QString noNews = on && exit.outcome.empty() && !unheard.empty() ? rankRange(unheard) : QString();
    if (way.leavesLines) {
        Stage confirm{
            on ? markOf(sum.confirmed, sum.all, arm.mark == Mark::done) : Mark::open, Story::tr("Confirmed"), {}};
        if (on && arm.mark != Mark::open)
            confirm.text = sum.confirmed == 0 && exit.outcome.empty()
                               ? Story::tr("%1; read at the next step").arg(nOf(0, sum.all))
                               : Story::tr("%1 ranks logged the exit").arg(nOf(sum.confirmed, sum.all));
        if (stuck) {
            confirm.mark = Mark::refused;
            confirm.text =
                Story::tr("%1 ranks logged the exit; %2").arg(nOf(sum.confirmed, sum.all), fromCore(stuck->detail));
        } else if (!noNews.isEmpty())
            confirm.text = Story::tr("%1; no contact with ranks %2").arg(nOf(sum.confirmed, sum.all), noNews);
        stages.push_back(confirm);
    }

    const bool obeying = way.leavesLines ? sum.confirmed > 0 : arm.mark == Mark::done;
    Stage save{on ? markOf(sum.saved, sum.all, obeying && exit.outcome.empty()) : Mark::open, Story::tr("Saved"),
               on ? savedWords(exit, sum) : QString()};
    if (savesNothing(s)) save = {Mark::open, save.name, Story::tr("the script saves nothing when it is stopped")};
    stages.push_back(save);
    Stage gone{on ? markOf(sum.exited, sum.all, false) : Mark::open, Story::tr("Exited"), {}};
    if (on && (way.leavesLines ? sum.confirmed > 0 : arm.mark == Mark::done))
        gone.text = Story::tr("%1 processes gone").arg(nOf(sum.exited, sum.all));
    if (!way.leavesLines && !noNews.isEmpty())
        gone.text = Story::tr("%1; no contact with ranks %2").arg(nOf(sum.exited, sum.all), noNews);
    if (stuck && !way.leavesLines) gone = {Mark::refused, gone.name, fromCore(stuck->detail)};
    stages.push_back(gone);
    if (died > 0) {
        stages.back().mark = Mark::refused;
        stages.back().text = Story::tr("%n rank(s) died", nullptr, died);
    }
    if (!way.leavesAFile) return stages;
    Stage flag{Mark::open, way.isFlag ? Story::tr("Flag") : Story::tr("Stop file"), {}};
    if (on) {
        flag.mark = exit.flagReset && !armed.armed ? Mark::done : (exit.phase == "resetting" ? Mark::busy : Mark::open);
        if (way.isFlag)
            flag.text = flag.mark == Mark::done         ? Story::tr("0 again on %1 nodes").arg(nOf(flags, flags))
                        : stuck && stuck->stillRun == 0 ? Story::tr("still 1; set back to 0 when the stop has ended")
                                                        : Story::tr("set back to 0 when all are gone");
        else
            flag.text = flag.mark == Mark::done ? Story::tr("removed on %1 nodes").arg(nOf(flags, flags))
                                                : Story::tr("is removed when all are gone");
    }
    stages.push_back(flag);
    return stages;
}

QString stopTitle(const Snapshot &s, WallTime now)
{
    if (!s.exit) {
        const bool refused = std::any_of(s.exitPreflight.preflight.begin(), s.exitPreflight.preflight.end(),
                                         [](const Finding &f) { return f.result == Finding::Result::refuse; });
        return refused ? Story::tr("Stop refused") : Story::tr("Stop gracefully");
    }
    const Progress sum = progressOf(*s.exit);
    const ExitOutcome outcome = s.exit->outcome;
    if (outcome == "stopped")
        return s.exit->set ? Story::tr("Stopped, nothing lost") : Story::tr("Stopped without a save");
    if (outcome == "refused") return Story::tr("Stop refused");
    if (outcome == "cancelled") return Story::tr("Cancelled in time");
    if (outcome == "cancel_too_late") return Story::tr("Cancelled too late");
    const QString obeyed = obeyedWords(sum, stopWay(s));
    if (outcome == "timed_out") return unprovenTitle(s, now, obeyed);
    if (!outcome.empty()) return Story::tr("Stop: %1").arg(fromNode(outcome.word()));
    if (const auto stuck = stuckStop(s, now)) return Story::tr("Stop cannot finish: %1").arg(fromCore(stuck->detail));
    if (s.exit->phase == "preflight") return Story::tr("Checking before the stop");
    if (!stopWay(s).leavesLines) return Story::tr("Stopping: %1").arg(obeyed);
    if (sum.confirmed == 0) return Story::tr("Armed: %1 confirmed").arg(nOf(0, sum.all));
    return Story::tr("Stopping: %1").arg(obeyed);
}

namespace {

// Says whether a cancel still helps if the stop cannot finish.
StopMessage stuckSaying(const Snapshot &s, const Alarm &stuck)
{
    const Progress sum = progressOf(*s.exit);
    if (!stopWay(s).leavesLines)
        return {Story::tr("Not all ranks can stop: %1.").arg(fromCore(stuck.detail)),
                stuck.stillRun == 0 ? Story::tr("No rank is left to cancel.")
                                    : Story::tr("The run cannot go on without them. End the rest and resume.")};
    if (stuck.stillRun == 0)
        return {sum.confirmed == sum.all ? Story::tr("The ranks had confirmed, but died before they ended.")
                                         : Story::tr("No rank can confirm any more."),
                Story::tr("No rank is left to cancel.")};
    if (sum.confirmed > 0)
        return {Story::tr("Too late to cancel."),
                Story::tr("%1 ranks have confirmed; the others cannot go on without them.")
                    .arg(nOf(sum.confirmed, sum.all))};
    return {
        Story::tr("Not all ranks can confirm: %1.").arg(fromCore(stuck.detail)),
        Story::tr("Cancelling removes the request, but the run cannot go on without them. End the rest and resume.")};
}

}  // namespace

StopMessage stopMessage(const Snapshot &s, WallTime now)
{
    const StopState state = stopState(s, now);
    if (!exitRuns(s)) {
        if (s.exit && s.exit->outcome == "stopped") { return {Story::tr("Proven."), fromCore(s.exit->text)}; }
        if (state.phase == StopPhase::refused) return {Story::tr("This run cannot stop gracefully."), state.reason};
        if (state.phase == StopPhase::warns) return {Story::tr("Read before you stop."), state.reason};
        if (state.phase == StopPhase::cancellable)
            return {stopWay(s).isFlag ? Story::tr("The flag is still 1.") : Story::tr("The stop file is still there."),
                    state.reason};
        if (s.exit && !s.exit->text.empty()) return {stopTitle(s, now) + QLatin1Char('.'), fromCore(s.exit->text)};
        return {Story::tr("No stop is requested."),
                lossIsBroken(s) ? state.reason : Story::tr("One click on Stop gracefully arms it.")};
    }
    if (const auto stuck = stuckStop(s, now)) return stuckSaying(s, *stuck);
    if (state.phase == StopPhase::cancellable) {
        if (noNodeIsLive(s))
            return {Story::tr("No node answers."),
                    Story::tr("Ranks may have read the flag; a cancel reaches a node only when it answers again.")};
        if (const std::vector<int> unheard = ranksWithoutContact(s); !unheard.empty())
            return {Story::tr("Can be cancelled"),
                    Story::tr("as far as is known: ranks %1 do not answer and may have read the flag.")
                        .arg(rankRange(unheard))};
        if (!pictureOf(s, now).fates.anyRuns())
            return {Story::tr("Can be cancelled"), Story::tr("as far as is known: no rank is running.")};
        if (!stopWay(s).isFlag) return {Story::tr("Can be cancelled"), Story::tr("until a rank sees the stop file.")};
        if (!s.view.stepSeconds) return {Story::tr("Can be cancelled"), Story::tr("until a rank reads the flag.")};
        return {Story::tr("Can be cancelled"), Story::tr("until a rank reads the flag, within one step (step time %1).")
                                                   .arg(durationWords(*s.view.stepSeconds))};
    }
    if (!stopWay(s).leavesAFile)
        return {
            Story::tr("Cannot be taken back."),
            Story::tr("A signal that was delivered cannot be recalled. Whether the ranks stop depends on the script.")};
    if (!stopWay(s).leavesLines)
        return {Story::tr("Too late to cancel."),
                Story::tr("A rank has already left; removing the stop file would not bring it back.")};
    const RankExit *first = nullptr;
    for (const RankExit &rank : s.exit->ranks) {
        if (rank.confirmedAt && (first == nullptr || *rank.confirmedAt < *first->confirmedAt)) first = &rank;
    }
    const QString who =
        first != nullptr
            ? Story::tr("Rank %1 has already read the flag (%2).").arg(first->rank).arg(clockWords(*first->confirmedAt))
            : Story::tr("A rank has already read the flag.");
    return {Story::tr("Too late to cancel."),
            who + QLatin1Char(' ') + Story::tr("Setting it back to 0 would not stop the ranks from leaving.")};
}

bool noNodeIsLive(const Snapshot &s)
{
    return std::none_of(s.view.nodes.begin(), s.view.nodes.end(),
                        [](const NodeStatus &node) { return node.state == NodeState::live; });
}

// Ranks whose node does not answer now.
std::vector<int> ranksWithoutContact(const Snapshot &s)
{
    std::vector<int> unheard;
    for (const RankState &rank : s.view.ranks)
        for (const NodeStatus &node : s.view.nodes)
            if (node.name == rank.node && node.state != NodeState::live) unheard.push_back(rank.rank);
    return unheard;
}

QStringList targetLines(const std::vector<ProcessTarget> &targets)
{
    QStringList lines;
    for (const ProcessTarget &target : targets) lines << fromNode(targetText(target));
    return lines;
}

EscalationOptions stopRungs(const Snapshot &s, WallTime now)
{
    EscalationOptions rungs;
    for (const ExitRung &rung : newestLadder(s)) {
        if (rung.name == "term") rungs.term = stillThere(s, rung.targets);
        if (rung.name == "kill") rungs.kill = stillThere(s, rung.targets);
    }
    rungs.processes = static_cast<int>(rungs.term.size());
    rungs.price = Story::tr("They do not save. Lost: %1.").arg(lostValue(s.view.lostWork));
    if (!s.exit || !s.exit->started || rungs.kill.empty()) return rungs;
    const WallTime opens = *s.exit->started + std::chrono::seconds(static_cast<int>(rungsAfter));
    std::optional<WallTime> newest;
    int waiting = 0;
    for (const RankExit &rank : s.exit->ranks) {
        if (!rank.confirmed) ++waiting;
        if (rank.confirmedAt && (!newest || *rank.confirmedAt > *newest)) newest = rank.confirmedAt;
    }
    const bool hangs = waiting > 0 && newest && secondsSince(*newest, now) > hangsAfter;
    const bool failed = !exitRuns(s) && s.exit->outcome != "stopped";
    rungs.open = now >= opens || hangs || failed || stuckStop(s, now);
    rungs.when = rungs.open ? Story::tr("open") : Story::tr("opens at %1, or when one hangs").arg(clockWords(opens));
    return rungs;
}

}  // namespace rankdeck::ui
