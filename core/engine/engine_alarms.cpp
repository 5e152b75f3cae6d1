// SPDX-License-Identifier: GPL-3.0-or-later
// Events about deaths (each once) and about alarms that begin or end. Some alarms begin only because time passes.
#include "core/engine/engine_impl.h"

#include "core/base/clock.h"

#include <algorithm>

namespace rankdeck {

// core/state/fates.h alone decides which ranks are dead. Deaths before this console started are not news. Deaths in the
// launcher's output already are events. The death of a rank that may still write a last line is reported later.
void Engine::Impl::tellDeaths(const Fates &fates, const JobState &view, WallTime now)
{
    if (std::exchange(m_deathsOfAttempt, view.attempt) != view.attempt) m_reportedDead.clear();
    for (const int number : fates.running) m_reportedDead.erase(number);  // it runs again, and may die again
    m_fateKnown = m_reportedDead;
    m_fateKnown.insert(fates.exited.begin(), fates.exited.end());
    m_fateKnown.insert(fates.ended.begin(), fates.ended.end());
    for (const int number : fates.died) {
        if (m_reportedDead.contains(number)) continue;
        const auto at = std::lower_bound(view.ranks.begin(), view.ranks.end(), number,
                                         [](const RankState &rank, int wanted) { return rank.rank < wanted; });
        if (at == view.ranks.end() || mayStillSpeak(*at, now)) continue;
        m_reportedDead.insert(number);
        m_fateKnown.insert(number);
        if (!at->seenAlive || m_ranks.launcherTold(number)) continue;
        Event event;
        event.time = lastSign(*at).value_or(at->goneSince.value_or(wallNow()));
        event.kind = EventKind::rankDied;
        event.rank = number;
        event.attempt = view.attempt;
        // If not, its position is from the previous attempt.
        if (at->progress.attempt == view.attempt) event.position = at->progress.position;
        event.node = at->node;
        if (at->error) {
            event.logPath = at->error->logPath;
            event.logOffset = at->error->logOffset;
        }
        const std::string how = howItDied(*at);
        event.text = how.empty() ? message("its process ended; its log shows no reason") : how;
        addEvent(std::move(event));
    }
}

namespace {

// True for alarms that need an event of their own. Deaths, NaN and node problems already cause other events, and a
// brief stale state is not an event.
bool beginsUnsaid(AlarmCode code)
{
    switch (code) {
    case AlarmCode::jobDied:
    case AlarmCode::rankDied:
    case AlarmCode::nanLoss:
    case AlarmCode::nodeLost:
    case AlarmCode::nodeNeedsYou:
    case AlarmCode::nodeStale:
    case AlarmCode::note: return false;
    default: return true;
    }
}

Event eventOf(const Alarm &alarm, int attempt, WallTime time)
{
    Event event;
    event.time = time;
    event.kind = EventKind::alarm;
    event.attempt = attempt;
    event.position = alarm.step;
    event.ranks = alarm.ranks;
    if (!alarm.ranks.empty()) event.rank = alarm.ranks.front();
    if (!alarm.nodes.empty()) event.node = alarm.nodes.front();
    event.text = alarm.text();
    return event;
}

}  // namespace

// Reports the change to the listeners, and keeps it in the history with its duration.
void Engine::Impl::alarmChanged(const AlarmChange &change, int attempt)
{
    m_update.alarms.push_back(change);
    const AlarmCode code = change.alarm.code;
    if (code == AlarmCode::note || code == AlarmCode::nodeStale || code == AlarmCode::nodeNeedsYou) return;
    if (!change.ended && !beginsUnsaid(code)) return;
    Event event = eventOf(change.alarm, attempt, change.time);
    if (change.ended) event.text = message("Over after %1: %2", durationText(change.seconds), event.text);
    addEvent(std::move(event));
}

// Checks all ranks. If only numbers have changed, once a second is enough.
void Engine::Impl::judgeAlarms(Snapshot &next, bool numbersAlone)
{
    const SteadyTime now = steadyNow();
    if (numbersAlone && now < m_nextAlarms) {
        const std::lock_guard lock(m_mutex);
        next.alarms = m_snapshot->alarms;
        return;
    }
    m_nextAlarms = now + std::chrono::seconds(1);
    const Picture picture = pictureOf(next, next.at);
    next.alarms = findAlarms(picture);
    m_hangScans.consider(next.alarms, next.view.attempt, now);
    tellDeaths(picture.fates, next.view, next.at);
    for (const AlarmChange &change : m_alarms.look(next.alarms, next.at)) alarmChanged(change, next.view.attempt);
}

// Silence causes no message. Therefore this checks once a second whether it has become an alarm.
void Engine::Impl::watchAlarms()
{
    std::shared_ptr<const Snapshot> last;
    {
        const std::lock_guard lock(m_mutex);
        last = m_snapshot;
    }
    const std::vector<Alarm> now = findAlarms(pictureOf(*last, wallNow()));
    const bool same = !m_alarms.awaitEnds() && now.size() == last->alarms.size() &&
                      std::equal(now.begin(), now.end(), last->alarms.begin(), sameAlarm);
    const bool lasts = std::any_of(now.begin(), now.end(), [](const Alarm &alarm) {
        return alarm.code == AlarmCode::stalled || alarm.code == AlarmCode::logsSilent;  // their texts contain seconds
    });
    if (!same || lasts) m_dirty = true;
}

}  // namespace rankdeck
