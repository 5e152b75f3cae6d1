// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/standing_alarms.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace rankdeck {
namespace {

constexpr double moment = 2;  // seconds

// Equal for alarms that sameAlarm treats as one. With the key, a thousand lost nodes need not be compared with each
// other.
using AlarmKey = std::tuple<AlarmCode, std::vector<std::string>, std::string>;
AlarmKey keyOf(const Alarm &alarm)
{
    return {alarm.code, isOfNodes(alarm.code) ? alarm.nodes : std::vector<std::string>(),
            alarm.code == AlarmCode::note ? alarm.fact : Message()};
}

bool isDeath(const Alarm &alarm) { return alarm.code == AlarmCode::jobDied || alarm.code == AlarmCode::rankDied; }

}  // namespace

AlarmChange StandingAlarms::endOf(const Standing &one)
{
    const WallTime began = one.alarm.since.value_or(one.seen), ended = one.missed.value_or(one.seen);
    return {one.alarm, true, ended, std::max(0.0, secondsBetween(began, ended))};
}

std::vector<AlarmChange> StandingAlarms::look(const std::vector<Alarm> &alarms, WallTime now)
{
    std::vector<AlarmChange> changes;
    std::set<AlarmKey> holding, standing;
    for (const Alarm &alarm : alarms) holding.insert(keyOf(alarm));
    const bool deathsGoOn = std::any_of(alarms.begin(), alarms.end(), isDeath);
    const bool diskIsFull =
        std::any_of(alarms.begin(), alarms.end(), [](const Alarm &alarm) { return alarm.code == AlarmCode::diskFull; });
    std::vector<Standing> kept;
    for (Standing &one : m_standing) {
        const bool holds = holding.contains(keyOf(one.alarm));
        one.missed = holds ? std::nullopt : std::optional(one.missed.value_or(now));
        const bool moreDied = (isDeath(one.alarm) && deathsGoOn) ||                     // dead ranks stay dead
                              (one.alarm.code == AlarmCode::saveFailed && diskIsFull);  // diskFull names the cause
        if (holds || (!moreDied && secondsBetween(*one.missed, now) < moment)) {
            standing.insert(keyOf(one.alarm));
            kept.push_back(std::move(one));
        } else if (!moreDied) {
            changes.push_back(endOf(one));
        }
    }
    m_standing = std::move(kept);
    for (const Alarm &alarm : alarms) {
        if (!standing.insert(keyOf(alarm)).second) {
            if (nowNamesSuspects(alarm)) changes.push_back({alarm, false, now, 0});
            continue;
        }
        m_standing.push_back({alarm, now});
        changes.push_back({alarm, false, now, 0});
    }
    return changes;
}

// True if the alarm now names the hanging ranks, and did not before.
bool StandingAlarms::nowNamesSuspects(const Alarm &alarm)
{
    if (alarm.code != AlarmCode::stalled || alarm.confirmed == 0) return false;
    const auto one = std::find_if(m_standing.begin(), m_standing.end(),
                                  [&](const Standing &other) { return keyOf(other.alarm) == keyOf(alarm); });
    if (one == m_standing.end() || one->alarm.confirmed != 0) return false;
    one->alarm = alarm;
    return true;
}

bool StandingAlarms::awaitEnds() const
{
    return std::any_of(m_standing.begin(), m_standing.end(),
                       [](const Standing &one) { return one.missed.has_value(); });
}

}  // namespace rankdeck
