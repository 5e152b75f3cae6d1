// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/act_state.h"

#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck::ui {

namespace {

struct Acts {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Acts)
};

constexpr double staleCheck = 60;  // seconds; an older preflight requires a second click

struct Checked {
    int all = 0, warned = 0, refused = 0;
    const Finding *first = nullptr;
};

Checked checked(const std::vector<Finding> &findings)
{
    Checked sum;
    for (const Finding &finding : findings) {
        ++sum.all;
        if (finding.result == Finding::Result::refuse) {
            if (sum.refused++ == 0) sum.first = &finding;
        } else if (finding.result == Finding::Result::warn) {
            if (sum.warned++ == 0 && sum.refused == 0) sum.first = &finding;
        }
    }
    return sum;
}

QString findingSentence(const Finding &finding)
{
    const QString text = asSentence(finding.text);
    return finding.fix.empty() ? text : text + QLatin1Char(' ') + asSentence(finding.fix);
}

// The short text below the button; the pane shows the full reason.
QString shortReason(const Finding &finding, const RunState &run, int reasons)
{
    const FindingCode code = finding.code;
    if (code == "rank_dead") {
        return run.hasDied() ? Acts::tr("refused: rank %1 is dead").arg(run.died.front())
                             : Acts::tr("refused: a rank is dead");
    }
    if (code == "graceful_env") return Acts::tr("refused: not enabled in the run");
    if (code == "no_graceful_config") return Acts::tr("refused: no config file is set");
    if (code == "config_not_writable") return Acts::tr("refused: config not writable");
    if (code == "save_not_writable") return Acts::tr("refused: saves not writable");
    if (code == "disk_full") return Acts::tr("refused: disk too full to save");
    if (code == "node_not_live") return Acts::tr("refused: %1 is not live").arg(fromNode(finding.node));
    if (code == "not_running") return Acts::tr("nothing is running");
    return Acts::tr("refused, %n reason(s)", nullptr, reasons);
}

// The state after events that are newer than the last checks. The checks are some seconds old, and a silent node
// prevents new ones.
StopState overtaken(const Snapshot &s, const RunState &run, StopState state)
{
    state.phase = StopPhase::refused;
    state.enabled = false;
    if (run.hasDied()) {
        state.note = Acts::tr("refused: rank %1 is dead").arg(run.died.front());
        state.reason =
            Acts::tr("Rank %1 died after the last check. A graceful stop needs every rank.").arg(run.died.front());
        return state;
    }
    const int unheard = ranksWithoutContact(s).front();
    const auto silent = std::find_if(s.view.ranks.begin(), s.view.ranks.end(),
                                     [&](const RankState &rank) { return rank.rank == unheard; });
    const QString node = fromNode(silent->node);
    state.note = Acts::tr("refused: %1 is not live").arg(node);
    state.reason = Acts::tr("%1 has not answered since the last check. A graceful stop needs every node.").arg(node);
    return state;
}

StopState runningStop(const Snapshot &s)
{
    StopState state;
    state.button = cancelStopLabel();
    if (s.exit->cancellable) {
        state.phase = StopPhase::cancellable;
        state.enabled = state.cancels = true;
        const RunState run = runState(s);
        const bool flag = stopWay(s).isFlag;
        state.note = noNodeIsLive(s) ? Acts::tr("no node answers")
                     : run.alive.empty() && run.hasDied()
                         ? flag ? Acts::tr("sets the flag back to 0") : Acts::tr("removes the stop file")
                     : run.alive.empty() ? Acts::tr("no rank is known to be running")
                     : flag              ? Acts::tr("until a rank reads the flag")
                                         : Acts::tr("until a rank sees the stop file");
        return state;
    }
    state.phase = StopPhase::tooLate;
    if (const StopWay way = stopWay(s); !way.leavesLines) {
        state.note =
            way.leavesAFile ? Acts::tr("too late, a rank has left") : Acts::tr("a signal cannot be taken back");
        return state;
    }
    std::optional<WallTime> first;
    for (const RankExit &rank : s.exit->ranks) {
        if (rank.confirmedAt && (!first || *rank.confirmedAt < *first)) first = rank.confirmedAt;
    }
    state.note = first ? Acts::tr("too late: a rank confirmed at %1").arg(clockWords(*first))
                       : Acts::tr("too late, a rank read the flag");
    return state;
}

StopState leftArmed(const ArmedState &armed, const StopWay &way)
{
    StopState state;
    state.phase = StopPhase::cancellable;
    state.button = cancelStopLabel();
    state.enabled = state.cancels = true;
    state.note = Acts::tr("armed on %n node(s)", nullptr, static_cast<int>(armed.nodes.size()));
    const QString nodes = armed.nodes.join(QStringLiteral(", "));
    state.reason = way.isFlag ? Acts::tr("GracefulExit is 1 on %1. Cancel puts it back to 0.").arg(nodes)
                              : Acts::tr("The stop file exists on %1. Cancel removes it.").arg(nodes);
    return state;
}

}  // namespace

bool exitRuns(const Snapshot &s) { return s.exit && s.exit->outcome.empty(); }
bool resumeRuns(const Snapshot &s) { return s.resume && s.resume->outcome.empty(); }

bool canBeChosen(const CheckpointSet &set, bool allowUnproven)
{
    return set.verdict == Verdict::valid || (allowUnproven && set.verdict == Verdict::validUnproven);
}

StopState stopState(const Snapshot &s, WallTime now)
{
    if (exitRuns(s)) return runningStop(s);
    StopState state;
    state.button = Acts::tr("Stop gracefully");
    const RunState run = runState(s);
    if (run.alive.empty() && (!run.died.empty() || !run.exited.empty() || !run.ended.empty())) {
        const ExitReport *exit = exitOfAttempt(s);
        const bool stopped = exit != nullptr && exit->outcome == "stopped";
        state.phase = stopped ? StopPhase::stopped : StopPhase::nothingRuns;
        state.note = run.mayRun() ? Acts::tr("no rank is known to be running") : Acts::tr("nothing is running");
        return state;
    }
    if (resumeRuns(s)) {
        state.note = Acts::tr("while a resume starts");
        return state;
    }
    if (const ArmedState armed = armedState(s); armed.armed && run.running()) return leftArmed(armed, stopWay(s));
    if (!s.exitPreflightAt) {
        const NodeCounts nodes = nodeCounts(s.view.nodes);
        state.note = nodes.live > 0 ? Acts::tr("being checked") : Acts::tr("no node is live");
        return state;
    }
    if (noNodeIsLive(s)) {  // the last check is out of date
        state.note = Acts::tr("no node answers");
        state.reason = Acts::tr("No node answers, so the run cannot be asked to stop. Every node must be live.");
        return state;
    }
    const Checked sum = checked(s.exitPreflight.preflight);
    const double age = secondsSince(*s.exitPreflightAt, now);
    if (sum.refused > 0) {
        state.phase = StopPhase::refused;
        state.reason = findingSentence(*sum.first);
        state.note = shortReason(*sum.first, run, sum.refused);
        return state;
    }
    if (run.hasDied() || !ranksWithoutContact(s).empty()) return overtaken(s, run, std::move(state));
    state.enabled = true;
    if (sum.warned > 0 || age > staleCheck) {
        state.phase = StopPhase::warns;
        state.opensPane = true;
        state.reason = sum.warned > 0 ? findingSentence(*sum.first) : Acts::tr("Last checked %1.").arg(ago(age));
        state.note = sum.warned > 0 ? Acts::tr("%n warning(s), asks again", nullptr, sum.warned)
                                    : Acts::tr("checked %1, asks again").arg(ago(age));
        return state;
    }
    state.phase = StopPhase::ready;
    state.startsAtOnce = true;
    const bool broken = lossIsBroken(s);
    const std::vector<Alarm> alarms = findAlarms(pictureOf(s, now));
    const auto stall =
        std::find_if(alarms.begin(), alarms.end(), [](const Alarm &alarm) { return alarm.code == AlarmCode::stalled; });
    const bool hangs =
        stall != alarms.end() && stall->which != AlarmCase::isUnseen && stall->which != AlarmCase::isDeserted;
    state.note = broken                              ? Acts::tr("would save NaN")
                 : hangs && stall->waitedFor.empty() ? Acts::tr("not while ranks hang")
                 : hangs                             ? Acts::tr("not while ranks wait")
                 : stall != alarms.end()             ? Acts::tr("no rank is known to be running")
                                                     : Acts::tr("loses 0 steps");
    state.reason = broken ? Acts::tr("The exit save would contain NaN; nothing after the newest VALID set can be kept.")
                          : Acts::tr("%n check(s) passed", nullptr, sum.all);
    return state;
}

bool mustBePutBack(const Snapshot &s, const std::string &id)
{
    const CheckpointSet *there = s.view.checkpoints.find(id);
    return s.view.kept->find(id) != nullptr && (there == nullptr || !canBeChosen(*there, true));
}

ResumeState resumeState(const Snapshot &s)
{
    ResumeState state;
    const RunState run = runState(s);
    const CheckpointSet *best = s.view.checkpoints.newestValid();
    if (resumeRuns(s)) {
        state.note = Acts::tr("is starting");
        return state;
    }
    if (exitRuns(s)) {
        const std::size_t left = run.alive.size() + run.unknown.size();  // ranks that may still run
        state.note = run.alive.empty() && run.hasDied() ? Acts::tr("when the stop has ended")
                     : run.ranks == 1                   ? Acts::tr("when the rank is gone")
                     : left == 1
                         ? Acts::tr("when rank %1 is gone").arg(run.alive.empty() ? run.unknown[0] : run.alive[0])
                         : Acts::tr("when the %1 ranks are gone").arg(number(static_cast<qint64>(left)));
        return state;
    }
    if (const KeptSet *kept = keptBefore(s.view)) {
        state.enabled = true;
        state.set = QString::fromStdString(kept->id);
        state.primary = run.hasDied() || (!run.mayRun() && s.view.attempt >= 0);
        state.note = Acts::tr("%1 is kept: put it back").arg(keptWords(*kept));
        return state;
    }
    if (best == nullptr) {
        state.note = s.view.checkpoints.settled ? s.view.lostWork.atMost ? Acts::tr("no set is known to be VALID")
                                                                         : Acts::tr("no set is VALID")
                     : noNodeIsLive(s) ? Acts::tr("no node answers")
                                                : Acts::tr("checkpoints are being read");
        // The pane explains why each set is refused, so the action is enabled as soon as there is a set.
        state.enabled = !s.view.checkpoints.sets.empty();
        return state;
    }
    state.enabled = true;
    state.set = QString::fromStdString(best->id);
    const QString at = setWords(*best);
    const bool idle = !run.mayRun() && s.view.attempt >= 0;
    state.primary = run.hasDied() || idle;
    const LostWork lost = lostWith(s, *best);
    if (state.primary && lost.known)
        state.note = lost.steps > 0 ? Acts::tr("from %1, loses %2").arg(at, number(lost.steps))
                                    : Acts::tr("from %1, loses 0").arg(at);
    else
        state.note = Acts::tr("from %1, newest VALID").arg(at);
    return state;
}

}  // namespace rankdeck::ui
