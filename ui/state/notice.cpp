// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/notice.h"

#include "ui/state/act_state.h"
#include "ui/state/run_state.h"
#include "ui/state/stop_progress.h"
#include "ui/style/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck::ui {

namespace {

struct Notices {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Notices)
};
using Found = std::optional<Notice>;

// The first line, ended as a sentence.
QString sentenceOf(const std::string &text)
{
    const QString line = fromNode(text).section(QLatin1Char('\n'), 0, 0).trimmed();
    return line.endsWith(QLatin1Char('.')) ? line : line + QLatin1Char('.');
}

constexpr double overdueAfter = 120;

Notice::Act resumeAct(const Snapshot &s)
{
    const CheckpointSet *best = s.view.checkpoints.newestValid();
    return {NoticeAct::openResume,
            best != nullptr ? Notices::tr("Resume from %1…").arg(setWords(*best)) : Notices::tr("Choose a set…")};
}

Found died(const Snapshot &s, WallTime now)
{
    const RunState run = runState(s);
    if (!run.hasDied() || exitRuns(s) || resumeRuns(s)) return {};
    const int rank = run.died.front();
    Notice notice{Notice::Level::bad, Notice::Kind::died, Glyph::died, {}};
    notice.rank = rank;
    const auto failure = firstFailure(s);
    std::optional<std::int64_t> step;
    std::optional<WallTime> when;
    if (failure) {
        step = failure->position;
        when = failure->time;
    }
    for (const RankState &state : s.view.ranks) {
        if (state.rank != rank) continue;
        if (!step) step = state.progress.position;
        if (!when && knowsTime(state.progress.heard)) when = state.progress.heard;
    }
    const QString who = run.died.size() == 1 ? Notices::tr("Rank %1 died").arg(rank)
                                             : Notices::tr("%1 ranks died, rank %2 first")
                                                   .arg(nOf(static_cast<int>(run.died.size()), run.ranks))
                                                   .arg(rank);
    notice.fact = step ? Notices::tr("%1 at step %2").arg(who, number(*step)) : who;
    if (when) notice.rest = Notices::tr(", %1, %2.").arg(clockWords(*when), ago(secondsSince(*when, now)));
    if (failure && !failure->text.empty()) notice.rest += QLatin1Char(' ') + sentenceOf(failure->text);
    if (!run.alive.empty())
        notice.rest +=
            QLatin1Char(' ') + Notices::tr("%n other rank(s) still run.", nullptr, static_cast<int>(run.alive.size()));
    notice.acts = {{NoticeAct::showMoment, Notices::tr("Show the moment")}, resumeAct(s)};
    return notice;
}

Found notProven(const Snapshot &s, WallTime)
{
    if (!s.resume || s.resume->outcome.empty() || s.resume->continues.value_or(true)) return {};
    Notice notice{Notice::Level::bad, Notice::Kind::notProven, Glyph::refuses, {}};
    for (const RankProof &rank : s.resume->ranks) {
        if (rank.proven) continue;
        notice.rank = rank.rank;
        notice.fact =
            rank.firstStep
                ? Notices::tr("Not proven: rank %1 started at step %2").arg(rank.rank).arg(number(*rank.firstStep))
                : Notices::tr("Not proven: rank %1 shows no step yet").arg(rank.rank);
        break;
    }
    if (notice.fact.isEmpty()) notice.fact = Notices::tr("The resume is not proven");
    notice.rest = fromNode(s.resume->text);
    notice.acts = {{NoticeAct::stopGracefully, Notices::tr("Stop gracefully")},
                   {NoticeAct::showLog, Notices::tr("Show its log")}};
    return notice;
}

Found armedOverdue(const Snapshot &s, WallTime now)
{
    const ExitReport *exit = exitOfAttempt(s);
    if (exit == nullptr || !exit->started) return {};
    const bool failed = exit->outcome == "timed_out" && runState(s).running();
    const double since = secondsSince(*exit->started, now);
    if (!failed && (!exitRuns(s) || since < overdueAfter)) return {};
    int confirmed = 0;
    for (const RankExit &rank : exit->ranks) confirmed += rank.confirmed ? 1 : 0;
    Notice notice{Notice::Level::warn, Notice::Kind::armedOverdue, Glyph::armed, {}};
    notice.fact = Notices::tr("Armed for %1, %2 ranks confirmed")
                      .arg(durationWords(since), nOf(confirmed, static_cast<int>(exit->ranks.size())));
    notice.rest = Notices::tr("Expected all within a few steps.");
    notice.acts = {{NoticeAct::openStop, Notices::tr("Show the stop")}};
    return notice;
}

Found nothingValid(const Snapshot &s, WallTime)
{
    const CheckpointReport &report = s.view.checkpoints;
    if (!report.settled || report.sets.empty() || report.newestValid() != nullptr) return {};
    const bool young = std::any_of(report.sets.begin(), report.sets.end(),
                                   [](const CheckpointSet &set) { return set.verdict == Verdict::inProgress; });
    if (young && runState(s).running() && report.sets.size() == 1) return {};
    const auto badCount = [](const CheckpointSet &set) {
        return std::count_if(set.members.begin(), set.members.end(), [](const MemberVerdict &m) {
            return m.state != MemberState::ok && m.state != MemberState::replica;
        });
    };
    const auto nearest =
        std::min_element(report.sets.begin(), report.sets.end(),
                         [&](const CheckpointSet &a, const CheckpointSet &b) { return badCount(a) < badCount(b); });
    Notice notice{Notice::Level::warn, Notice::Kind::nothingValid, Glyph::incomplete, {}};
    notice.fact = Notices::tr("Nothing here can be resumed by all ranks.");
    notice.rest = Notices::tr("Nearest: %1, %2.").arg(setWords(*nearest), whyOf(*nearest));
    notice.set = QString::fromStdString(nearest->id);
    notice.acts = {{NoticeAct::openResume, Notices::tr("Show the sets")}};
    return notice;
}

Found ofNodes(const Snapshot &s, NodeState state, WallTime now)
{
    for (const NodeStatus &node : s.view.nodes) {
        if (node.state != state) continue;
        const QString name = fromNode(node.name);
        Notice notice{Notice::Level::warn, Notice::Kind::lost, nodeGlyph(state), {}, fromNode(node.reason)};
        notice.node = name;
        switch (state) {
        case NodeState::needsYou:
            notice.kind = Notice::Kind::needsYou;
            notice.level = Notice::Level::info;
            notice.fact = node.hostKey ? Notices::tr("%1 shows an unknown host key").arg(name)
                                       : Notices::tr("%1 needs you to log in").arg(name);
            notice.acts = {{NoticeAct::answerNode, Notices::tr("Answer…")}};
            break;
        case NodeState::lost:
            notice.fact = node.retryInSeconds >= 1
                              ? Notices::tr("%1 is lost, retry in %2").arg(name, durationWords(node.retryInSeconds))
                              : Notices::tr("%1 is lost").arg(name);
            notice.acts = {{NoticeAct::retryNode, Notices::tr("Retry now")}};
            break;
        case NodeState::stale:
            notice.kind = Notice::Kind::stale;
            notice.fact =
                Notices::tr("%1 is silent for %2").arg(name, durationWords(secondsSince(node.lastHeard, now)));
            notice.acts = {{NoticeAct::retryNode, Notices::tr("Connect again")}};
            break;
        case NodeState::unsupported: notice.fact = Notices::tr("%1 cannot be watched").arg(name); break;
        default:
            notice.level = Notice::Level::bad;
            notice.fact = Notices::tr("%1 is refused").arg(name);
            notice.acts = {{NoticeAct::retryNode, Notices::tr("Try again")}};
        }
        return notice;
    }
    return {};
}

Found leftArmed(const Snapshot &s, WallTime)
{
    const ArmedState armed = armedState(s);
    if (!armed.armed || exitRuns(s)) return {};
    Notice notice{Notice::Level::warn, Notice::Kind::leftArmed, Glyph::armed, {}};
    notice.fact = Notices::tr("GracefulExit is still 1 on %1").arg(armed.nodes.join(QStringLiteral(", ")));
    notice.rest = runState(s).running() ? Notices::tr("The run stops at its next check.")
                                        : Notices::tr("A new run would stop after its first step.");
    notice.acts = {{NoticeAct::cancelStop, Notices::tr("Set to 0")}};
    return notice;
}

Found warning(const Snapshot &s, WallTime)
{
    if (s.unfinished.empty() && s.messages.empty()) return {};
    Notice notice{Notice::Level::info, Notice::Kind::warning, Glyph::note, {}};
    notice.fact = fromNode(s.unfinished.empty() ? s.messages.front() : s.unfinished);
    if (s.unfinished.empty() && s.messages.size() > 1)
        notice.rest = Notices::tr("%n more note(s).", nullptr, static_cast<int>(s.messages.size()) - 1);
    return notice;
}

}  // namespace

std::optional<Notice> mostUrgent(const Snapshot &s, WallTime now)
{
    using State = NodeState;
    for (const auto &look : {died, notProven, armedOverdue, nothingValid}) {
        if (auto notice = look(s, now)) return notice;
    }
    for (const State state : {State::needsYou, State::refused, State::lost, State::unsupported, State::stale}) {
        if (auto notice = ofNodes(s, state, now)) return notice;
    }
    if (auto notice = leftArmed(s, now)) return notice;
    return warning(s, now);
}

}  // namespace rankdeck::ui
