// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about ranks that died: which ranks, at which step, for what reason, and which rank they waited for.
#include "ui/state/alarm_words.h"

#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <algorithm>

namespace rankdeck::ui {

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
    case FailureCause::killed: return Notices::tr("sent by a person or a scheduler, or for lack of memory");
    case FailureCause::terminated: return Notices::tr("it was asked to end");
    case FailureCause::emergencySaved: return Notices::tr("it was asked to end and had saved an emergency checkpoint");
    case FailureCause::crashed: return Notices::tr("the program crashed");
    case FailureCause::collectiveTimeout: return Notices::tr("it gave up waiting for another rank");
    case FailureCause::peerLost: return Notices::tr("its exchange with another rank failed");
    case FailureCause::sharedMemory: return Notices::tr("the shared memory (/dev/shm) is too small");
    case FailureCause::deviceFault: return Notices::tr("the device reported an error");
    case FailureCause::badCheckpoint: return Notices::tr("a checkpoint that it loaded is damaged or does not fit");
    case FailureCause::dataWorker: return Notices::tr("a data loader worker was killed");
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

// The headline for dead ranks. Ranks that died at the same time have no order.
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

// The headline for ranks that gave up waiting for another rank, which may still run.
QString gaveUpWords(const Alarm &alarm)
{
    std::vector<int> victims = alarm.ranks;
    std::sort(victims.begin(), victims.end());
    const QString who = victims.size() == 1 ? Notices::tr("Rank %1").arg(victims.front())
                                            : Notices::tr("Ranks %1").arg(rankRange(victims));
    if (alarm.seconds <= 0) return Notices::tr("%1 gave up waiting for %2").arg(who, rankWords(alarm.waitedFor));
    return Notices::tr("%1 gave up waiting for %2 after %3")
        .arg(who, rankWords(alarm.waitedFor), durationWords(alarm.seconds));
}

QString silentWords(const std::vector<int> &ranks)
{
    return ranks.size() == 1
               ? Notices::tr("Rank %1 is silent and reports no error: look at it first.").arg(ranks.front())
               : Notices::tr("Ranks %1 are silent and report no error: look at them first.").arg(rankRange(ranks));
}

}  // namespace

// Example: "Status of 4 ranks unknown (node1: no contact for 40 s)."
QString unknownRanksWords(const Alarm &alarm)
{
    if (alarm.unheard.empty()) return {};
    const int count = static_cast<int>(alarm.unheard.size());
    QStringList nodes;
    for (const std::string &node : alarm.silentNodes) nodes << fromNode(node);
    if (nodes.isEmpty()) return Notices::tr("Status of %n rank(s) unknown.", nullptr, count);
    const QString named = nodes.join(QStringLiteral(", "));
    const QString silence = alarm.silentSeconds
                                ? Notices::tr("%1: no contact for %2").arg(named, durationWords(*alarm.silentSeconds))
                                : Notices::tr("%1: no contact").arg(named);
    return Notices::tr("Status of %n rank(s) unknown (%1).", nullptr, count).arg(silence);
}

void wordDeath(Notice &notice, const Alarm &alarm, const Snapshot &s, WallTime now)
{
    const QString who = alarm.waitedForSilent ? gaveUpWords(alarm) : deadWords(alarm);
    notice.fact = alarm.step ? Notices::tr("%1 at step %2").arg(who, number(*alarm.step))
                  : s.view.attempt > 0
                      ? Notices::tr("%1 before the first step of attempt %2").arg(who).arg(s.view.attempt + 1)
                      : who;
    if (alarm.since)
        notice.rest = Notices::tr(", %1, %2.").arg(clockWords(*alarm.since), ago(secondsSince(*alarm.since, now)));
    const auto add = [&](const QString &sentence) {
        if (!sentence.isEmpty()) notice.rest += (notice.rest.isEmpty() ? QString() : QStringLiteral(" ")) + sentence;
    };
    add(sentenceOf(fromCore(alarm.detail)));
    if (alarm.withoutReason)
        add(alarm.confirmed == 1 ? Notices::tr("Its log shows no reason.") : Notices::tr("Their logs show no reason."));
    if (const QString cause = causeWords(alarm.cause); !cause.isEmpty()) add(Notices::tr("Cause: %1.").arg(cause));
    if (alarm.othersCancelled) add(Notices::tr("The scheduler cancelled the others."));
    if (alarm.waitedForSilent)
        add(silentWords(alarm.waitedFor));
    else if (!alarm.waitedFor.empty())
        add(alarm.waitedFor.size() == 1
                ? Notices::tr("They gave up waiting for rank %1, which is still running and hangs.")
                      .arg(alarm.waitedFor[0])
                : Notices::tr("They gave up waiting for ranks %1, which are still running.")
                      .arg(rankRange(alarm.waitedFor)));
    else if (alarm.stillRun > 0)
        add(Notices::tr("%n other rank(s) are still running.", nullptr, alarm.stillRun));
    if (!alarm.waitedForSilent || !alarm.silentNodes.empty()) add(unknownRanksWords(alarm));
    if (const std::optional<EarlierDeath> &before = alarm.before)
        add(Notices::tr("Attempt %1 had died at step %2, %3: rank %4, %5")
                .arg(QString::number(before->attempt + 1), number(before->step.value_or(0)), clockWords(before->time),
                     QString::number(before->rank), sentenceOf(fromNode(before->how))));
}

}  // namespace rankdeck::ui
