// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/alarm_words.h"

#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <algorithm>

namespace rankdeck::ui {

QString sentenceOf(const QString &text) { return sentence(text.section(QLatin1Char('\n'), 0, 0)); }

QString putBackWords(const QString &set) { return Notices::tr("Put %1 back and resume from it…").arg(set); }

QString resumeWords(const Snapshot &s)
{
    if (const KeptSet *kept = keptBefore(s.view)) return putBackWords(keptWords(*kept));
    const CheckpointSet *best = s.view.checkpoints.newestValid();
    if (best != nullptr) return Notices::tr("Resume from %1…").arg(setWords(*best));
    const SharedVector<CheckpointSet> &sets = s.view.checkpoints.sets;
    const bool choice =
        std::any_of(sets.begin(), sets.end(), [](const CheckpointSet &set) { return canBeChosen(set, true); });
    return choice ? Notices::tr("Choose a set…") : Notices::tr("Show the sets");
}

namespace {

// If the kept sets are unknown, the text says so.
QString keptUnknownWords(const Snapshot &s)
{
    return s.view.kept->listing == KeptListing::listed
               ? QString()
               : QLatin1Char(' ') + Notices::tr("The kept sets could not be listed.");
}

void wordStop(Notice &notice, const Alarm &alarm)
{
    notice.fact = Notices::tr("The stop cannot finish");
    notice.rest = sentence(Notices::tr("%1; %2 confirmed").arg(stuckWords(alarm), nOf(alarm.confirmed, alarm.of)));
}

QString goodSetWords(const Alarm &alarm)
{
    const QString set = number(*alarm.setStep);
    const bool maySave = alarm.stillRun > 0 || !alarm.unheard.empty();
    if (alarm.putBack)
        return (maySave ? Notices::tr("%1 is kept: put it back, then resume from it; an exit save would contain NaN.")
                        : Notices::tr("%1 is kept: put it back, then resume from it."))
            .arg(set);
    if (alarm.setKept)
        return (maySave ? Notices::tr("Newest good set %1, which is kept; an exit save would contain NaN.")
                        : Notices::tr("Newest good set %1, which is kept."))
            .arg(set);
    const bool mayKeep = std::find(alarm.acts.begin(), alarm.acts.end(), AlarmAct::keepSet) != alarm.acts.end();
    return (mayKeep ? Notices::tr("Newest good set %1; an exit save would contain NaN.")
                    : Notices::tr("Newest good set %1."))
        .arg(set);
}

void wordNan(Notice &notice, const Alarm &alarm, const Snapshot &s)
{
    const int logging = alarm.of - static_cast<int>(alarm.unheard.size());  // the state of the others is unknown
    const QString value = QString::fromStdString(alarm.detail);
    const QString what = (alarm.gradients ? Notices::tr("Gradients are %1") : Notices::tr("Loss is %1")).arg(value),
                  step = number(alarm.step.value_or(0));
    const QString ranks = nOf(static_cast<int>(alarm.ranks.size()), logging);
    notice.fact = alarm.of == 1  ? Notices::tr("%1 since step %2").arg(what, step)
                  : logging == 1 ? Notices::tr("%1 on rank %2, the only one that logs it, since step %3")
                                       .arg(what, number(alarm.ranks.front()), step)
                  : alarm.confirmed > 0 ? Notices::tr("%1 on %2 ranks since step %3, rank %4 first")
                                              .arg(what, ranks, step, number(alarm.ranks.front()))
                  : logging < alarm.of ? Notices::tr("%1 on %2 ranks that log it, since step %3").arg(what, ranks, step)
                                       : Notices::tr("%1 on %2 ranks since step %3").arg(what, ranks, step);
    notice.rest = alarm.setStep ? goodSetWords(alarm)
                  : !s.view.checkpoints.settled
                      ? QString()
                      : (s.view.lostWork.atMost ? Notices::tr("No older set is known to be VALID.")
                                                : Notices::tr("No VALID set is older than it.")) +
                            keptUnknownWords(s);
    notice.set = QString::fromStdString(alarm.set);
    if (!alarm.savesLeft) return;
    notice.rest += QLatin1Char(' ') + Notices::tr("It is overwritten in %n save(s), %1.", nullptr, *alarm.savesLeft)
                                          .arg(durationWords(alarm.savesSeconds.value_or(0)));
}

QString differWords(const Alarm &alarm, const QString &who, int count)
{
    const QString where = QString::fromStdString(alarm.where), others = QString::fromStdString(alarm.othersWhere);
    if (where.isEmpty())
        return count == 1
                   ? Notices::tr("Rank %1 is computing, the others are waiting in %2: it may hang or be evaluating.")
                         .arg(who, others)
                   : Notices::tr(
                         "Ranks %1 are computing, the others are waiting in %2: they may hang or be evaluating.")
                         .arg(who, others);
    if (others.isEmpty())
        return count == 1
                   ? Notices::tr("Rank %1 is waiting in %2, the others are computing: it may hang.").arg(who, where)
                   : Notices::tr("Ranks %1 are waiting in %2, the others are computing: they may hang.")
                         .arg(who, where);
    return count == 1
               ? Notices::tr("Rank %1 is waiting in %2, the others in %3: it may hang.").arg(who, where, others)
               : Notices::tr("Ranks %1 are waiting in %2, the others in %3: they may hang.").arg(who, where, others);
}

// Text about the difference between the suspects and the other waiting ranks, and about its meaning.
QString suspectWords(const Alarm &alarm, std::vector<int> suspects)
{
    std::sort(suspects.begin(), suspects.end());
    const int count = static_cast<int>(suspects.size());
    const QString who = rankRange(suspects);
    switch (alarm.which) {
    case AlarmCase::isStopped:
        return count == 1 ? Notices::tr("Rank %1 is stopped by a signal (state T): it hangs.").arg(who)
                          : Notices::tr("Ranks %1 are stopped by a signal (state T): they hang.").arg(who);
    case AlarmCase::waitsForDisk:
        return count == 1
                   ? Notices::tr("Rank %1 is waiting for its disk or file server (state D): it hangs.").arg(who)
                   : Notices::tr("Ranks %1 are waiting for their disk or file server (state D): they hang.").arg(who);
    case AlarmCase::isBehind: {
        const QString at = number(alarm.behindAt.value_or(0)), others = number(alarm.step.value_or(0));
        return count == 1 ? Notices::tr("Rank %1 is at step %2, the others at %3: it hangs.").arg(who, at, others)
                          : Notices::tr("Ranks %1 are at step %2, the others at %3: they hang.").arg(who, at, others);
    }
    case AlarmCase::differs: return differWords(alarm, who, count);
    case AlarmCase::wasGivenUp:
        return count == 1
                   ? Notices::tr("Rank %1 is still running, and the others gave up waiting for it: it hangs.").arg(who)
                   : Notices::tr("Ranks %1 are still running, and the others gave up waiting for them: they hang.")
                         .arg(who);
    default: return {};
    }
}

void wordStall(Notice &notice, const Alarm &alarm)
{
    const QString silence = durationWords(alarm.seconds);
    notice.fact = alarm.usual > 0 ? Notices::tr("No step for %1 (usual %2)").arg(silence, durationWords(alarm.usual))
                                  : Notices::tr("No step for %1").arg(silence);
    const std::vector<int> suspects(alarm.ranks.begin(), alarm.ranks.begin() + alarm.confirmed);
    if (alarm.which == AlarmCase::isDeserted) {
        notice.rest = Notices::tr(
            "No rank is running: no process of the job is left on its nodes, and no log ends with an exit.");
        return;
    }
    if (alarm.which == AlarmCase::isUnseen) {
        notice.rest = Notices::tr("No rank process found; cannot tell whether the job runs.");
        return;
    }
    if (!suspects.empty())
        notice.rest = suspectWords(alarm, suspects) +
                      (alarm.which == AlarmCase::isStopped && alarm.mayGoOn
                           ? QLatin1Char(' ') + Notices::tr("SIGCONT lets it continue, and nothing is lost.")
                           : QString());
    else if (alarm.which == AlarmCase::peersLeft)
        notice.rest = (alarm.waitedFor.size() == 1
                           ? Notices::tr("Rank %1 has exited; the remaining ranks may be waiting for it.")
                           : Notices::tr("Ranks %1 have exited; the remaining ranks may be waiting for them."))
                          .arg(rankRange(alarm.waitedFor));
    else if (!alarm.waitedFor.empty())
        notice.rest = Notices::tr("Surviving ranks are waiting for dead ranks: %1.").arg(rankRange(alarm.waitedFor));
    else if (alarm.silentNodes.empty() && alarm.ranks.size() > 1)
        notice.rest = !alarm.looked       ? Notices::tr("No rank stands out yet.")
                      : alarm.someCompute ? Notices::tr("Some ranks are computing, and none stands out: they may be "
                                                        "evaluating, or their logs may have stopped.")
                                          : Notices::tr("All ranks are waiting; none stands out.");
    if (const QString unheard = unknownRanksWords(alarm); !unheard.isEmpty())
        notice.rest += (notice.rest.isEmpty() ? QString() : QStringLiteral(" ")) + unheard;
}

void wordSilentLogs(Notice &notice, const Alarm &alarm)
{
    notice.fact = Notices::tr("No line in any log for %1").arg(durationWords(alarm.seconds));
    notice.rest = Notices::tr("Sets are still being saved, so the training goes on. The log disk may be full.");
    if (const QString unheard = unknownRanksWords(alarm); !unheard.isEmpty()) notice.rest += QLatin1Char(' ') + unheard;
}

void wordProof(Notice &notice, const Alarm &alarm)
{
    notice.fact =
        alarm.ranks.empty() ? Notices::tr("The resume is not proven")
        : alarm.step
            ? Notices::tr("Not proven: rank %1 started at step %2").arg(alarm.ranks.front()).arg(number(*alarm.step))
            : Notices::tr("Not proven: rank %1 shows no step yet").arg(alarm.ranks.front());
    notice.rest = fromCore(alarm.detail);
}

void wordNode(Notice &notice, const NodeStatus &node, WallTime now)
{
    const QString name = fromNode(node.name);
    notice.glyph = nodeGlyph(node.state);
    notice.rest = fromCore(node.reason);
    switch (node.state) {
    case NodeState::needsYou:
        notice.fact = node.hostKey ? Notices::tr("%1 shows an unknown host key").arg(name)
                                   : Notices::tr("%1 needs you to log in").arg(name);
        break;
    case NodeState::lost:
        notice.fact = node.retryInSeconds >= 1
                          ? Notices::tr("%1 is lost, retry in %2").arg(name, durationWords(node.retryInSeconds))
                          : Notices::tr("%1 is lost").arg(name);
        break;
    case NodeState::stale:
        notice.fact = Notices::tr("%1 is silent for %2").arg(name, durationWords(secondsSince(node.lastContact, now)));
        break;
    case NodeState::queued:
    case NodeState::connecting: notice.fact = Notices::tr("%1 is lost, trying again").arg(name); break;
    case NodeState::unsupported: notice.fact = Notices::tr("%1 cannot be watched").arg(name); break;
    default: notice.fact = Notices::tr("%1 is refused").arg(name);
    }
}

void wordSave(Notice &notice, const Alarm &alarm, const Snapshot &s)
{
    if (alarm.code == AlarmCode::saveOverdue) {
        notice.fact = Notices::tr("No save since step %1").arg(number(alarm.step.value_or(0)));
        notice.rest =
            s.view.lostWork.known ? Notices::tr("Lost if it dies now: %1.").arg(lostValue(s.view.lostWork)) : QString();
        return;
    }
    if (alarm.which == AlarmCase::nextSave) {
        notice.fact = Notices::tr("There may be no room for a save");
        notice.rest = sentenceOf(fromCore(alarm.detail));
        return;
    }
    const QString what =
        alarm.code == AlarmCode::diskFull ? Notices::tr("The disk is full") : Notices::tr("A save failed");
    const QString ranks = rankRange(alarm.ranks);
    const bool one = alarm.ranks.size() == 1;
    notice.fact = alarm.step ? (one ? Notices::tr("%1, rank %2 at step %3") : Notices::tr("%1, ranks %2 at step %3"))
                                   .arg(what, ranks, number(*alarm.step))
                             : (one ? Notices::tr("%1, rank %2") : Notices::tr("%1, ranks %2")).arg(what, ranks);
    notice.rest = sentenceOf(fromCore(alarm.detail));
}

void wordNothingValid(Notice &notice, const Alarm &alarm, const Snapshot &s)
{
    notice.fact = Notices::tr("No set here can be resumed by all ranks.");
    notice.set = QString::fromStdString(alarm.set);
    if (alarm.putBack) {
        notice.fact = Notices::tr("None of the sets can be resumed by all ranks.");
        notice.rest =
            Notices::tr("%1 is kept: put it back, then resume from it.").arg(number(alarm.setStep.value_or(0)));
        return;
    }
    if (const CheckpointSet *nearest = s.view.checkpoints.find(alarm.set))
        notice.rest = Notices::tr("Nearest: %1, %2.").arg(setWords(*nearest), whyOf(*nearest));
    notice.rest += keptUnknownWords(s);
}

void wordBeganAnew(Notice &notice, const Alarm &alarm, const Snapshot &s)
{
    const QString set = number(alarm.setStep.value_or(0));
    notice.fact =
        Notices::tr("Attempt %1 begins at step %2").arg(s.view.attempt + 1).arg(number(alarm.step.value_or(0)));
    notice.set = QString::fromStdString(alarm.set);
    notice.rest =
        Notices::tr(
            "No log shows that it loaded a checkpoint. %1 is VALID, so that many steps are being trained again.")
            .arg(set);
}

void wordLeftArmed(Notice &notice, const Alarm &alarm, bool flag)
{
    QStringList nodes;
    for (const std::string &node : alarm.nodes) nodes << fromNode(node);
    notice.fact = (flag ? Notices::tr("GracefulExit is still 1 on %1") : Notices::tr("The stop file is still on %1"))
                      .arg(nodes.join(QStringLiteral(", ")));
    notice.rest = alarm.which == AlarmCase::willCheck ? Notices::tr("The run will stop at its next check.")
                  : alarm.which == AlarmCase::mayCheck
                      ? Notices::tr("Any remaining process stops at its next check, if it reaches one.")
                      : Notices::tr("A new run would stop after its first step.");
}

void wordArmedLong(Notice &notice, const Alarm &alarm, bool byLines)
{
    const QString obeyed = (byLines ? Notices::tr("%1 ranks confirmed") : Notices::tr("%1 ranks have left"))
                               .arg(nOf(alarm.confirmed, alarm.of));
    if (alarm.which == AlarmCase::endedUnproven) {
        notice.fact = Notices::tr("Not stopped: %1").arg(obeyed);
        notice.rest = Notices::tr("The stop has ended without proof; ranks are still running.");
        return;
    }
    notice.fact = Notices::tr("Armed for %1, %2").arg(durationWords(alarm.seconds), obeyed);
    notice.rest = Notices::tr("Expected all within a few steps.");
}

void wordScheduler(Notice &notice, const Alarm &alarm)
{
    if (alarm.which == AlarmCase::cannotMeet) {
        notice.fact = Notices::tr("The ranks cannot reach their scheduler");
        notice.rest =
            Notices::tr("%1 ranks have tried %2 for %3. Check on that host that it is running and has that port open.")
                .arg(nOf(alarm.confirmed, alarm.of), fromCore(alarm.detail), durationWords(alarm.seconds));
        return;
    }
    if (alarm.code == AlarmCode::timeLimit)
        notice.fact = Notices::tr("The scheduler ends the job in %1").arg(durationWords(alarm.seconds));
    else if (alarm.silentSeconds)  // out of date: this is the state at the scheduler's last answer
        notice.fact = (alarm.code == AlarmCode::jobWaits
                           ? Notices::tr("The job had not started at the scheduler's last answer, %1")
                           : Notices::tr("A device of the job was unhealthy at the scheduler's last answer, %1"))
                          .arg(ago(*alarm.silentSeconds));
    else if (alarm.code == AlarmCode::jobWaits)
        notice.fact = Notices::tr("The scheduler is not starting the job");
    else
        notice.fact = Notices::tr("A device of the job is unhealthy");
    notice.rest = sentenceOf(fromCore(alarm.detail));
}

}  // namespace

void wordAlarm(Notice &notice, const Alarm &alarm, const Snapshot &s, WallTime now)
{
    switch (alarm.code) {
    case AlarmCode::jobDied:
    case AlarmCode::rankDied: return wordDeath(notice, alarm, s, now);
    case AlarmCode::stopStuck: return wordStop(notice, alarm);
    case AlarmCode::nanLoss: return wordNan(notice, alarm, s);
    case AlarmCode::stalled: return wordStall(notice, alarm);
    case AlarmCode::notProven: return wordProof(notice, alarm);
    case AlarmCode::beganAnew: return wordBeganAnew(notice, alarm, s);
    case AlarmCode::nodeLost:
    case AlarmCode::nodeNeedsYou:
    case AlarmCode::nodeStale:
        for (const NodeStatus &node : s.view.nodes)
            if (node.name == alarm.nodes.front()) wordNode(notice, node, now);
        return;
    case AlarmCode::armedLong: return wordArmedLong(notice, alarm, stopWay(s).leavesLines);
    case AlarmCode::logsSilent: return wordSilentLogs(notice, alarm);
    case AlarmCode::diskFull:
    case AlarmCode::saveFailed:
    case AlarmCode::saveOverdue: return wordSave(notice, alarm, s);
    case AlarmCode::nothingValid: return wordNothingValid(notice, alarm, s);
    case AlarmCode::leftArmed: return wordLeftArmed(notice, alarm, stopWay(s).isFlag);
    case AlarmCode::jobWaits:
    case AlarmCode::timeLimit:
    case AlarmCode::deviceUnhealthy: return wordScheduler(notice, alarm);
    case AlarmCode::note: notice.fact = fromCore(alarm.text); return;
    }
}

}  // namespace rankdeck::ui
