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

QString causeWords(FailureCause cause)
{
    switch (cause) {
    case FailureCause::diskFull: return Notices::tr("the disk is full");
    case FailureCause::outOfMemory: return Notices::tr("the machine is out of memory");
    case FailureCause::groupOutOfMemory: return Notices::tr("its container or group is out of memory");
    case FailureCause::deviceOutOfMemory: return Notices::tr("the device is out of memory");
    case FailureCause::nonFinite: return Notices::tr("the script ended at a NaN or Inf");
    case FailureCause::missingModule: return Notices::tr("a Python module is missing");
    case FailureCause::killed: return Notices::tr("a person, a scheduler, or want of memory");
    case FailureCause::terminated: return Notices::tr("it was asked to end");
    case FailureCause::gaspSaved: return Notices::tr("it was asked to end, and has saved a dying gasp before");
    case FailureCause::crashed: return Notices::tr("the program crashed");
    case FailureCause::collectiveTimeout: return Notices::tr("it gave up waiting for another rank");
    case FailureCause::peerLost: return Notices::tr("its exchange with another rank failed");
    case FailureCause::sharedMemory: return Notices::tr("the shared memory (/dev/shm) is too small");
    case FailureCause::deviceFault: return Notices::tr("the device reported an error");
    case FailureCause::badCheckpoint: return Notices::tr("a checkpoint that it loads is damaged or does not fit");
    case FailureCause::dataWorker: return Notices::tr("a worker of its data loader was killed");
    case FailureCause::portInUse: return Notices::tr("the port is in use by another process");
    case FailureCause::interrupted: return Notices::tr("it was interrupted with Ctrl-C");
    case FailureCause::cancelled: return Notices::tr("the scheduler cancelled it");
    case FailureCause::preempted: return Notices::tr("the scheduler preempted the job");
    case FailureCause::timeLimit: return Notices::tr("the job reached its time limit");
    case FailureCause::nodeFailed: return Notices::tr("the scheduler saw its node fail");
    case FailureCause::evicted: return Notices::tr("its pod was evicted");
    case FailureCause::unknown: break;
    }
    return {};
}

// Where it is not known what is kept, nothing is said not to be.
QString keptUnknownWords(const Snapshot &s)
{
    return s.view.kept->listing == KeptListing::listed ? QString()
                                                       : QLatin1Char(' ') + Notices::tr("What is kept is not known.");
}

// "Of 4 ranks nothing is known (node1: no news for 40 s)."
QString unheardWords(const Alarm &alarm)
{
    if (alarm.unheard.empty()) return {};
    const int count = static_cast<int>(alarm.unheard.size());
    QStringList nodes;
    for (const std::string &node : alarm.silentNodes) nodes << fromNode(node);
    if (nodes.isEmpty()) return Notices::tr("Of %n rank(s) nothing is known.", nullptr, count);
    const QString named = nodes.join(QStringLiteral(", "));
    const QString silence = alarm.silentSeconds
                                ? Notices::tr("%1: no news for %2").arg(named, durationWords(*alarm.silentSeconds))
                                : Notices::tr("%1: no news").arg(named);
    return Notices::tr("Of %n rank(s) nothing is known (%1).", nullptr, count).arg(silence);
}

// Who went at one time went in no order.
QString deadWords(const Alarm &alarm)
{
    const int count = static_cast<int>(alarm.ranks.size());
    const bool all = count == alarm.of;
    if (count == 1) return Notices::tr("Rank %1 died").arg(alarm.ranks.front());
    const QString counted = all ? QString::number(count) : nOf(count, alarm.of);
    if (alarm.confirmed == 1)
        return (all ? Notices::tr("All %1 ranks died, rank %2 first") : Notices::tr("%1 ranks died, rank %2 first"))
            .arg(counted)
            .arg(alarm.ranks.front());
    if (alarm.confirmed == count)
        return (all ? Notices::tr("All %1 ranks died") : Notices::tr("%1 ranks died")).arg(counted);
    std::vector<int> first(alarm.ranks.begin(), alarm.ranks.begin() + alarm.confirmed);
    std::sort(first.begin(), first.end());
    return (all ? Notices::tr("All %1 ranks died, ranks %2 first") : Notices::tr("%1 ranks died, ranks %2 first"))
        .arg(counted, rankRange(first));
}

QString rankWords(const std::vector<int> &ranks)
{
    return ranks.size() == 1 ? Notices::tr("rank %1").arg(ranks.front())
                             : Notices::tr("ranks %1").arg(rankRange(ranks));
}

void wordDeath(Notice &notice, const Alarm &alarm, const Snapshot &s, WallTime now)
{
    const QString who = deadWords(alarm);
    notice.fact = alarm.step ? Notices::tr("%1 at step %2").arg(who, number(*alarm.step))
                  : s.view.attempt > 0
                      ? Notices::tr("%1 before the first step of attempt %2").arg(who).arg(s.view.attempt + 1)
                      : who;
    if (alarm.since)
        notice.rest = Notices::tr(", %1, %2.").arg(clockWords(*alarm.since), ago(secondsSince(*alarm.since, now)));
    const auto add = [&](const QString &sentence) {
        if (!sentence.isEmpty()) notice.rest += (notice.rest.isEmpty() ? QString() : QStringLiteral(" ")) + sentence;
    };
    add(sentenceOf(fromNode(alarm.detail)));
    if (alarm.wordless)
        add(alarm.confirmed == 1 ? Notices::tr("Without a word in its log.")
                                 : Notices::tr("Without a word in their logs."));
    if (const QString cause = causeWords(alarm.cause); !cause.isEmpty()) add(Notices::tr("Cause: %1.").arg(cause));
    if (alarm.othersCancelled) add(Notices::tr("The scheduler cancelled the others."));
    if (alarm.waitedForSilent)
        add(Notices::tr("They gave up waiting for %1, which is silent. Look at it first.")
                .arg(rankWords(alarm.waitedFor)));
    else if (!alarm.waitedFor.empty())
        add(alarm.waitedFor.size() == 1
                ? Notices::tr("They gave up waiting for rank %1, which still runs and hangs.").arg(alarm.waitedFor[0])
                : Notices::tr("They gave up waiting for ranks %1, which still run.").arg(rankRange(alarm.waitedFor)));
    else if (alarm.stillRun > 0)
        add(Notices::tr("%n other rank(s) still run.", nullptr, alarm.stillRun));
    add(unheardWords(alarm));
    if (const std::optional<EarlierDeath> &before = alarm.before)
        add(Notices::tr("Attempt %1 had died at step %2, %3: rank %4, %5")
                .arg(QString::number(before->attempt + 1), number(before->step.value_or(0)), clockWords(before->time),
                     QString::number(before->rank), sentenceOf(fromNode(before->how))));
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
        return (maySave ? Notices::tr("%1 is kept: put it back, then resume from it; an exit save would hold NaN.")
                        : Notices::tr("%1 is kept: put it back, then resume from it."))
            .arg(set);
    if (alarm.setKept)
        return (maySave ? Notices::tr("Newest good set %1, which is kept; an exit save would hold NaN.")
                        : Notices::tr("Newest good set %1, which is kept."))
            .arg(set);
    const bool mayKeep = std::find(alarm.acts.begin(), alarm.acts.end(), AlarmAct::keepSet) != alarm.acts.end();
    return (mayKeep ? Notices::tr("Newest good set %1; an exit save would hold NaN.")
                    : Notices::tr("Newest good set %1."))
        .arg(set);
}

void wordNan(Notice &notice, const Alarm &alarm, const Snapshot &s)
{
    const int logging = alarm.of - static_cast<int>(alarm.unheard.size());  // of the others nothing is known
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
                      : (s.view.lostWork.atMost ? Notices::tr("No set that is older is known to be VALID.")
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
                   ? Notices::tr("Rank %1 computes, the others wait in %2: it may hang, or evaluate.").arg(who, others)
                   : Notices::tr("Ranks %1 compute, the others wait in %2: they may hang, or evaluate.")
                         .arg(who, others);
    if (others.isEmpty())
        return count == 1 ? Notices::tr("Rank %1 waits in %2, the others compute: it may hang.").arg(who, where)
                          : Notices::tr("Ranks %1 wait in %2, the others compute: they may hang.").arg(who, where);
    return count == 1
               ? Notices::tr("Rank %1 waits in %2, the others wait in %3: it may hang.").arg(who, where, others)
               : Notices::tr("Ranks %1 wait in %2, the others wait in %3: they may hang.").arg(who, where, others);
}

// How the suspects differ from the others that wait, and what that means.
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
        return count == 1 ? Notices::tr("Rank %1 waits for its disk or file server (state D): it hangs.").arg(who)
                          : Notices::tr("Ranks %1 wait for their disk or file server (state D): they hang.").arg(who);
    case AlarmCase::isBehind: {
        const QString at = number(alarm.behindAt.value_or(0)), others = number(alarm.step.value_or(0));
        return count == 1 ? Notices::tr("Rank %1 is at step %2, the others at %3: it hangs.").arg(who, at, others)
                          : Notices::tr("Ranks %1 are at step %2, the others at %3: they hang.").arg(who, at, others);
    }
    case AlarmCase::differs: return differWords(alarm, who, count);
    case AlarmCase::wasGivenUp:
        return count == 1
                   ? Notices::tr("Rank %1 still runs, and the others gave up waiting for it: it hangs.").arg(who)
                   : Notices::tr("Ranks %1 still run, and the others gave up waiting for them: they hang.").arg(who);
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
        notice.rest =
            Notices::tr("No rank runs: nothing of the job is left on its nodes, and no log ends with an exit.");
        return;
    }
    if (alarm.which == AlarmCase::isUnseen) {
        notice.rest = Notices::tr("Whether any rank runs is not known: no process is seen to be one.");
        return;
    }
    if (!suspects.empty())
        notice.rest = suspectWords(alarm, suspects) +
                      (alarm.which == AlarmCase::isStopped && alarm.mayGoOn
                           ? QLatin1Char(' ') + Notices::tr("SIGCONT lets it go on, and nothing is lost.")
                           : QString());
    else if (alarm.which == AlarmCase::peersLeft)
        notice.rest =
            (alarm.waitedFor.size() == 1 ? Notices::tr("Rank %1 has exited, and who is left may wait for it.")
                                         : Notices::tr("Ranks %1 have exited, and who is left may wait for them."))
                .arg(rankRange(alarm.waitedFor));
    else if (!alarm.waitedFor.empty())
        notice.rest = Notices::tr("Who is left waits for who died: %1.").arg(rankRange(alarm.waitedFor));
    else if (alarm.silentNodes.empty() && alarm.ranks.size() > 1)
        notice.rest = !alarm.looked ? Notices::tr("No rank stands out yet.")
                      : alarm.someCompute
                          ? Notices::tr("Some ranks compute, none stands out: they may evaluate, or their logs take no "
                                        "more lines.")
                          : Notices::tr("All ranks wait, none stands out.");
    if (const QString unheard = unheardWords(alarm); !unheard.isEmpty())
        notice.rest += (notice.rest.isEmpty() ? QString() : QStringLiteral(" ")) + unheard;
}

void wordSilentLogs(Notice &notice, const Alarm &alarm)
{
    notice.fact = Notices::tr("No line in any log for %1").arg(durationWords(alarm.seconds));
    notice.rest = Notices::tr("Sets are saved all the same: the training goes on. The disk of the logs may be full.");
    if (const QString unheard = unheardWords(alarm); !unheard.isEmpty()) notice.rest += QLatin1Char(' ') + unheard;
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
        notice.fact = Notices::tr("%1 is silent for %2").arg(name, durationWords(secondsSince(node.lastHeard, now)));
        break;
    case NodeState::queued:
    case NodeState::connecting: notice.fact = Notices::tr("%1 is lost, being tried again").arg(name); break;
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
        notice.fact = Notices::tr("A save may have no room");
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
    notice.rest = sentenceOf(fromNode(alarm.detail));
}

void wordNothingValid(Notice &notice, const Alarm &alarm, const Snapshot &s)
{
    notice.fact = Notices::tr("Nothing here can be resumed by all ranks.");
    notice.set = QString::fromStdString(alarm.set);
    if (alarm.putBack) {
        notice.fact = Notices::tr("No set among the checkpoints can be resumed by all ranks.");
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
        Notices::tr("No log says that it loaded anything: %1 is VALID, and as many steps are trained again.").arg(set);
}

void wordLeftArmed(Notice &notice, const Alarm &alarm, bool flag)
{
    QStringList nodes;
    for (const std::string &node : alarm.nodes) nodes << fromNode(node);
    notice.fact = (flag ? Notices::tr("GracefulExit is still 1 on %1") : Notices::tr("The stop file is still on %1"))
                      .arg(nodes.join(QStringLiteral(", ")));
    notice.rest = alarm.which == AlarmCase::willCheck ? Notices::tr("The run stops at its next check.")
                  : alarm.which == AlarmCase::mayCheck
                      ? Notices::tr("Whatever still runs of it stops at its next check, if it comes to one.")
                      : Notices::tr("A new run would stop after its first step.");
}

void wordArmedLong(Notice &notice, const Alarm &alarm, bool byLines)
{
    const QString obeyed = (byLines ? Notices::tr("%1 ranks confirmed") : Notices::tr("%1 ranks have left"))
                               .arg(nOf(alarm.confirmed, alarm.of));
    if (alarm.which == AlarmCase::endedUnproven) {
        notice.fact = Notices::tr("Not stopped: %1").arg(obeyed);
        notice.rest = Notices::tr("The stop has ended without its proof; ranks still run.");
        return;
    }
    notice.fact = Notices::tr("Armed for %1, %2").arg(durationWords(alarm.seconds), obeyed);
    notice.rest = Notices::tr("Expected all within a few steps.");
}

void wordScheduler(Notice &notice, const Alarm &alarm)
{
    if (alarm.which == AlarmCase::cannotMeet) {
        notice.fact = Notices::tr("The ranks do not reach their scheduler");
        notice.rest = Notices::tr("%1 ranks have tried %2 for %3. See on that host whether it runs and has that port.")
                          .arg(nOf(alarm.confirmed, alarm.of), fromNode(alarm.detail), durationWords(alarm.seconds));
        return;
    }
    if (alarm.code == AlarmCode::timeLimit)
        notice.fact = Notices::tr("The scheduler ends the job in %1").arg(durationWords(alarm.seconds));
    else if (alarm.silentSeconds)  // since its last answer: what it said then
        notice.fact = (alarm.code == AlarmCode::jobWaits
                           ? Notices::tr("The job was not started when the scheduler answered last, %1")
                           : Notices::tr("A device of the job was unhealthy when the scheduler answered last, %1"))
                          .arg(ago(*alarm.silentSeconds));
    else if (alarm.code == AlarmCode::jobWaits)
        notice.fact = Notices::tr("The scheduler does not start the job");
    else
        notice.fact = Notices::tr("A device of the job is unhealthy");
    notice.rest = sentenceOf(fromNode(alarm.detail));
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
