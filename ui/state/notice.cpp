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

// The first line of the text, with a full stop.
QString sentenceOf(const QString &text) { return sentence(text.section(QLatin1Char('\n'), 0, 0)); }

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
    case AlarmCode::logsSilent: return {Kind::logsSilent, Glyph::waits};
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
    case AlarmAct::showFailure:
        if (alarm.code == AlarmCode::stalled && alarm.which != AlarmCase::isDeserted &&
            alarm.which != AlarmCase::isUnseen)
            return {NoticeAct::showRanks, Notices::tr("Show stack traces")};
        return {NoticeAct::showFailure, Notices::tr("Show the failure")};
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

// Identifies an alarm for acknowledgement. Another dead rank makes the alarm new; a longer stall does not.
QString keyOf(const Alarm &alarm, const Snapshot &s)
{
    QString key = QStringLiteral("%1|%2").arg(s.view.attempt).arg(QLatin1String(alarmCodeName(alarm.code)));
    for (const std::string &node : isOfNodes(alarm.code) ? alarm.nodes : std::vector<std::string>())
        key += QLatin1Char('|') + fromNode(node);
    const bool counts = alarm.code == AlarmCode::rankDied || alarm.code == AlarmCode::nanLoss;
    if (counts) key += QStringLiteral("|%1").arg(alarm.ranks.size());
    return alarm.code == AlarmCode::note ? key + fromNode(alarm.fact) : key;
}

// True for alarms about the connection to a node, whose glyph shows the state of that node.
bool isOfOneNode(AlarmCode code)
{
    return code == AlarmCode::nodeLost || code == AlarmCode::nodeNeedsYou || code == AlarmCode::nodeStale;
}

}  // namespace

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
    for (const NodeStatus &node : s.view.nodes)
        if (isOfOneNode(alarm.code) && node.name == alarm.nodes.front()) notice.glyph = nodeGlyph(node.state);
    notice.set = QString::fromStdString(alarm.set);
    notice.fact = fromCore(alarm.fact);
    notice.rest = fromCore(alarm.rest);
    const bool isDeath = alarm.code == AlarmCode::jobDied || alarm.code == AlarmCode::rankDied;
    if (isDeath && alarm.since) {
        const QString when =
            Notices::tr(", %1, %2.").arg(clockWords(*alarm.since), ago(secondsSince(*alarm.since, now)));
        notice.rest = when + gapAfter(when, notice.rest) + notice.rest;
    }
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
                         : kept          ? Notices::tr("The set is now protected beside the checkpoints.")
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
