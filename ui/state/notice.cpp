// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/notice.h"

#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck::ui {

namespace {

struct Notices {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Notices)
};

QString sentenceOf(const QString &text) { return sentence(text.section(QLatin1Char('\n'), 0, 0)); }

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
    case FailureCause::unknown: break;
    }
    return {};
}

QString putBackWords(const QString &set) { return Notices::tr("Put %1 back and resume from it…").arg(set); }

// Where it is not known what is kept, nothing is said not to be.
QString keptUnknownWords(const Snapshot &s)
{
    return s.view.kept->listing == KeptListing::listed ? QString()
                                                       : QLatin1Char(' ') + Notices::tr("What is kept is not known.");
}

QString resumeWords(const Snapshot &s)
{
    if (const KeptSet *kept = keptBefore(s.view)) return putBackWords(keptWords(*kept));
    const CheckpointSet *best = s.view.checkpoints.newestValid();
    return best != nullptr ? Notices::tr("Resume from %1…").arg(setWords(*best)) : Notices::tr("Choose a set…");
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

void wordDeath(Notice &notice, const Alarm &alarm, WallTime now)
{
    const QString who = deadWords(alarm);
    notice.fact = alarm.step ? Notices::tr("%1 at step %2").arg(who, number(*alarm.step)) : who;
    if (alarm.since)
        notice.rest = Notices::tr(", %1, %2.").arg(clockWords(*alarm.since), ago(secondsSince(*alarm.since, now)));
    const auto add = [&](const QString &sentence) {
        if (!sentence.isEmpty()) notice.rest += (notice.rest.isEmpty() ? QString() : QStringLiteral(" ")) + sentence;
    };
    add(sentenceOf(fromNode(alarm.detail)));
    if (const QString cause = causeWords(alarm.cause); !cause.isEmpty()) add(Notices::tr("Cause: %1.").arg(cause));
    if (!alarm.waitedFor.empty())
        add(alarm.waitedFor.size() == 1
                ? Notices::tr("They gave up waiting for rank %1, which still runs and hangs.").arg(alarm.waitedFor[0])
                : Notices::tr("They gave up waiting for ranks %1, which still run.").arg(rankRange(alarm.waitedFor)));
    else if (alarm.stillRun > 0)
        add(Notices::tr("%n other rank(s) still run.", nullptr, alarm.stillRun));
    add(unheardWords(alarm));
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
    const QString what = QString::fromStdString(alarm.detail), step = number(alarm.step.value_or(0));
    const QString ranks = nOf(static_cast<int>(alarm.ranks.size()), logging);
    notice.fact = alarm.of == 1  ? Notices::tr("Loss is %1 since step %2").arg(what, step)
                  : logging == 1 ? Notices::tr("Loss is %1 on rank %2, the only one that logs it, since step %3")
                                       .arg(what, number(alarm.ranks.front()), step)
                  : alarm.confirmed > 0 ? Notices::tr("Loss is %1 on %2 ranks since step %3, rank %4 first")
                                              .arg(what, ranks, step, number(alarm.ranks.front()))
                  : logging < alarm.of
                      ? Notices::tr("Loss is %1 on %2 ranks that log it, since step %3").arg(what, ranks, step)
                      : Notices::tr("Loss is %1 on %2 ranks since step %3").arg(what, ranks, step);
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
    default: return {};
    }
}

void wordStall(Notice &notice, const Alarm &alarm)
{
    const QString silence = durationWords(alarm.seconds);
    notice.fact = alarm.usual > 0 ? Notices::tr("No step for %1 (usual %2)").arg(silence, durationWords(alarm.usual))
                                  : Notices::tr("No step for %1").arg(silence);
    const std::vector<int> suspects(alarm.ranks.begin(), alarm.ranks.begin() + alarm.confirmed);
    if (alarm.which == AlarmCase::logsSilent) {
        notice.fact = Notices::tr("No line in any log for %1").arg(silence);
        notice.rest =
            Notices::tr("Sets are saved all the same: the training goes on. The disk of the logs may be full.");
        return;
    }
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
                      (alarm.which == AlarmCase::isStopped
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
        notice.rest = Notices::tr("All ranks wait, none stands out.");
    if (const QString unheard = unheardWords(alarm); !unheard.isEmpty())
        notice.rest += (notice.rest.isEmpty() ? QString() : QStringLiteral(" ")) + unheard;
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
    notice.fact =
        alarm.step ? Notices::tr("%1, rank %2 at step %3").arg(what).arg(alarm.ranks.front()).arg(number(*alarm.step))
                   : Notices::tr("%1, rank %2").arg(what).arg(alarm.ranks.front());
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

struct Look {
    Notice::Kind kind;
    Glyph glyph;
};

Look lookOf(AlarmCode code)
{
    using Kind = Notice::Kind;
    switch (code) {
    case AlarmCode::jobDied:
    case AlarmCode::rankDied: return {Kind::died, Glyph::died};
    case AlarmCode::stopStuck: return {Kind::stopStuck, Glyph::armed};
    case AlarmCode::nanLoss: return {Kind::nan, Glyph::nan};
    case AlarmCode::stalled: return {Kind::stalled, Glyph::waits};
    case AlarmCode::notProven:
    case AlarmCode::beganAnew: return {Kind::notProven, Glyph::refuses};
    case AlarmCode::jobWaits: return {Kind::scheduler, Glyph::queued};
    case AlarmCode::timeLimit: return {Kind::scheduler, Glyph::waits};
    case AlarmCode::deviceUnhealthy: return {Kind::scheduler, Glyph::fault};
    case AlarmCode::nodeLost: return {Kind::lost, Glyph::lost};
    case AlarmCode::armedLong: return {Kind::armedOverdue, Glyph::armed};
    case AlarmCode::diskFull:
    case AlarmCode::saveFailed:
    case AlarmCode::saveOverdue: return {Kind::saveTrouble, Glyph::error};
    case AlarmCode::nothingValid: return {Kind::nothingValid, Glyph::incomplete};
    case AlarmCode::nodeNeedsYou: return {Kind::needsYou, Glyph::needsYou};
    case AlarmCode::nodeStale: return {Kind::stale, Glyph::stale};
    case AlarmCode::leftArmed: return {Kind::leftArmed, Glyph::armed};
    case AlarmCode::note: return {Kind::warning, Glyph::note};
    }
    return {Kind::warning, Glyph::note};
}

Notice::Act actOf(AlarmAct act, const Alarm &alarm, const Snapshot &s)
{
    switch (act) {
    case AlarmAct::showMoment:
        if (alarm.code == AlarmCode::stalled) return {NoticeAct::showRanks, Notices::tr("What all ranks do now")};
        return {NoticeAct::showMoment, Notices::tr("Show the moment")};
    case AlarmAct::showLog: return {NoticeAct::showLog, Notices::tr("Show its log")};
    case AlarmAct::resume:
        return {NoticeAct::openResume, alarm.putBack   ? putBackWords(number(alarm.setStep.value_or(0)))
                                       : alarm.setStep ? Notices::tr("Resume from %1…").arg(number(*alarm.setStep))
                                                       : resumeWords(s)};
    case AlarmAct::showSets: return {NoticeAct::openResume, Notices::tr("Show the sets")};
    case AlarmAct::showStop: return {NoticeAct::openStop, Notices::tr("Show the stop")};
    case AlarmAct::stop: return {NoticeAct::stopGracefully, Notices::tr("Stop gracefully")};
    case AlarmAct::clearFlag:
        return {NoticeAct::cancelStop, stopWay(s).isFlag ? Notices::tr("Set to 0") : Notices::tr("Remove it")};
    case AlarmAct::retryNode:
        return {NoticeAct::retryNode, alarm.code == AlarmCode::nodeStale  ? Notices::tr("Connect again")
                                      : alarm.severity == Severity::alarm ? Notices::tr("Try again")
                                                                          : Notices::tr("Retry now")};
    case AlarmAct::keepSet: return {NoticeAct::keepSet, Notices::tr("Keep %1").arg(number(alarm.setStep.value_or(0)))};
    case AlarmAct::answerNode: return {NoticeAct::answerNode, Notices::tr("Answer…")};
    case AlarmAct::none: break;
    }
    return {NoticeAct::showEvents, Notices::tr("Show the events")};
}

void word(Notice &notice, const Alarm &alarm, const Snapshot &s, WallTime now)
{
    switch (alarm.code) {
    case AlarmCode::jobDied:
    case AlarmCode::rankDied: return wordDeath(notice, alarm, now);
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

// One more rank that dies is news, one more step without a step is none.
QString keyOf(const Alarm &alarm, const Snapshot &s)
{
    QString key = QStringLiteral("%1|%2").arg(s.view.attempt).arg(QLatin1String(alarmCodeName(alarm.code)));
    for (const std::string &node : alarm.nodes) key += QLatin1Char('|') + fromNode(node);
    const bool counts = alarm.code == AlarmCode::rankDied || alarm.code == AlarmCode::nanLoss;
    if (counts) key += QStringLiteral("|%1").arg(alarm.ranks.size());
    return alarm.code == AlarmCode::note ? key + fromNode(alarm.text) : key;
}

}  // namespace

Notice noticeOf(const Alarm &alarm, const Snapshot &s, WallTime now)
{
    const Look look = lookOf(alarm.code);
    Notice notice{Notice::Level::warn, look.kind, look.glyph, {}};
    notice.level = alarm.severity == Severity::alarm  ? Notice::Level::bad
                   : alarm.severity == Severity::info ? Notice::Level::info
                                                      : Notice::Level::warn;
    if (!alarm.ranks.empty()) notice.rank = alarm.ranks.front();
    if (!alarm.nodes.empty()) notice.node = fromNode(alarm.nodes.front());
    notice.key = keyOf(alarm, s);
    word(notice, alarm, s, now);
    for (const AlarmAct act : alarm.acts) notice.acts.push_back(actOf(act, alarm, s));
    return notice;
}

void wordKeeping(Notice &notice, const Keeping &keeping)
{
    const auto offer = std::find_if(notice.acts.begin(), notice.acts.end(),
                                    [](const Notice::Act &act) { return act.act == NoticeAct::keepSet; });
    if (offer == notice.acts.end() || (!keeping.running && !keeping.report)) return;
    const bool kept = keeping.report && keeping.report->outcome == "kept";
    const QString said = keeping.running ? Notices::tr("The set is being kept.")
                         : kept          ? Notices::tr("The set is kept beside the checkpoints.")
                                         : Notices::tr("Not kept: %1").arg(sentenceOf(fromCore(keeping.report->text)));
    notice.rest += (notice.rest.isEmpty() ? QString() : QStringLiteral(" ")) + said;
    if (keeping.running || kept) notice.acts.erase(offer);
}

Notice keptNotice(const QString &set, const QString &step, const Keeping &keeping)
{
    const bool kept = keeping.report && keeping.report->outcome == "kept";
    Notice notice{kept || keeping.running ? Notice::Level::info : Notice::Level::warn,
                  Notice::Kind::kept,
                  kept              ? Glyph::valid
                  : keeping.running ? Glyph::saving
                                    : Glyph::refuses,
                  {}};
    notice.fact = keeping.running ? Notices::tr("Set %1 is being kept").arg(step)
                  : kept          ? Notices::tr("Set %1 is kept").arg(step)
                                  : Notices::tr("Set %1 is not kept").arg(step);
    notice.rest = keeping.running ? QString()
                  : kept          ? Notices::tr("Rotation does not reach it beside the checkpoints.")
                                  : sentenceOf(fromCore(keeping.report->text));
    notice.set = set;
    if (!keeping.running) notice.key = QStringLiteral("kept|%1").arg(set);
    return notice;
}

std::vector<Notice> notices(const Snapshot &s, WallTime now)
{
    std::vector<Notice> all;
    for (const Alarm &alarm : findAlarms(pictureOf(s, now))) all.push_back(noticeOf(alarm, s, now));
    return all;
}

std::optional<Notice> mostUrgent(const Snapshot &s, WallTime now, const std::set<QString> &seen)
{
    std::vector<Notice> all = notices(s, now);
    const auto news = std::find_if(all.begin(), all.end(), [&](const Notice &one) { return seen.count(one.key) == 0; });
    if (news == all.end()) return std::nullopt;
    Notice worst = std::move(*news);
    worst.all = static_cast<int>(all.size());
    if (all.size() > 1) {
        const QString more = Notices::tr("And %n more.", nullptr, static_cast<int>(all.size()) - 1);
        worst.rest += (worst.rest.isEmpty() ? QString() : QStringLiteral(" ")) + more;
    }
    return worst;
}

}  // namespace rankdeck::ui
