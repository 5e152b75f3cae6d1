// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/failure_view.h"

#include "ui/state/notice.h"
#include "ui/style/format.h"
#include "ui/style/marks.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck::ui {

namespace {

struct FailureViews {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::FailureViews)
};

bool isFailure(EventKind kind)
{
    switch (kind) {
    case EventKind::rankDied:
    case EventKind::error:
    case EventKind::nan:
    case EventKind::uce:
    case EventKind::hcce:
    case EventKind::ttp: return true;
    default: return false;
    }
}

QString firstLineOf(const Event &event) { return fromCore(event.text).section(QLatin1Char('\n'), 0, 0); }

// The kind of event that reports the same as this alarm of a rank.
std::optional<EventKind> tells(AlarmCode code)
{
    if (code == AlarmCode::jobDied || code == AlarmCode::rankDied) return EventKind::rankDied;
    if (code == AlarmCode::nanLoss) return EventKind::nan;
    return {};
}

// The first event of the alarm's rank that reports the alarm in this attempt.
std::optional<Event> eventOf(const Alarm &alarm, const Snapshot &s)
{
    const std::optional<EventKind> kind = tells(alarm.code);
    if (!kind || alarm.ranks.empty()) return {};
    for (const Event &event : failuresIn(s))
        if (event.kind == *kind && event.rank == alarm.ranks.front() && event.attempt == s.view.attempt) return event;
    return {};
}

bool isOfItsError(AlarmCode code)
{
    return tells(code) == EventKind::rankDied || code == AlarmCode::diskFull || code == AlarmCode::saveFailed;
}

// The alarm as an event. If the rank has an error, the event has the error's log position.
Event asEvent(const Alarm &alarm, const Snapshot &s)
{
    Event event;
    event.kind = EventKind::alarm;
    event.attempt = s.view.attempt;
    event.position = alarm.step;
    event.time = alarm.since.value_or(s.at);
    if (!alarm.nodes.empty()) event.node = alarm.nodes.front();
    if (alarm.ranks.empty()) return event;
    event.rank = alarm.ranks.front();
    for (const RankState &rank : s.view.ranks) {
        if (rank.rank != event.rank || !rank.error || !isOfItsError(alarm.code)) continue;
        event.logPath = rank.error->logPath;
        event.logOffset = rank.error->logOffset;
    }
    return event;
}

// The text of the banner. If an event reports the alarm, its own text, which is longer, replaces the rest.
FailureView failureViewOf(const Alarm &alarm, const Snapshot &s, WallTime now)
{
    const Notice notice = noticeOf(alarm, s, now);
    FailureView moment{.fact = notice.fact, .rest = notice.rest, .event = eventOf(alarm, s)};
    if (moment.event)
        moment.rest = firstLineOf(*moment.event);
    else
        moment.event = asEvent(alarm, s);
    const bool isPart = goesOn(moment.rest);
    if (!isPart && (alarm.since || moment.event->id != 0))
        moment.fact = clockWords(moment.event->time) + comma() + moment.fact;
    if (!isPart) moment.fact = ended(moment.fact);
    return moment;
}

FailureView nothing(const Snapshot &s, WallTime now)
{
    const QString later =
        FailureViews::tr("If one fails, its log appears here beside its neighbours' logs. If nothing moves and no rank "
                         "has died, use \"Show stack traces\".");
    const int unknown = static_cast<int>(pictureOf(s, now).fates.unknown.size());
    if (unknown == 0) return {.fact = FailureViews::tr("No rank has failed so far."), .rest = later};
    return {.fact = FailureViews::tr("No known failure."),
            .rest = FailureViews::tr("Cannot tell whether %n rank(s) run.", nullptr, unknown)};
}

}  // namespace

std::vector<Event> failuresIn(const Snapshot &s)
{
    std::vector<Event> all;
    for (const Event &event : s.view.recentEvents)
        if (isFailure(event.kind)) all.push_back(event);
    std::sort(all.begin(), all.end(),
              [](const Event &a, const Event &b) { return std::pair(a.time, a.id) < std::pair(b.time, b.id); });
    return all;
}

FailureView failureViewOf(const Event &event)
{
    return {.fact = QStringLiteral("%1, %2").arg(clockWords(event.time), eventWord(event)),
            .rest = firstLineOf(event),
            .event = event};
}

FailureView failureViewOf(const Snapshot &s, WallTime now, bool offline)
{
    const Picture picture = pictureOf(s, now);
    for (const Alarm &alarm : findAlarms(picture)) {
        if (alarm.code == AlarmCode::note) continue;
        if (!offline || tells(alarm.code)) return failureViewOf(alarm, s, now);
    }
    const std::vector<Event> failures = failuresIn(s);
    return failures.empty() ? nothing(s, now) : failureViewOf(failures.back());
}

}  // namespace rankdeck::ui
