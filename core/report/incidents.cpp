// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/incidents.h"

#include <algorithm>
#include <tuple>

namespace rankdeck {
namespace {

std::string who(const JournalEntry &entry) { return entry.user + "@" + entry.host; }

// Ranks that only followed another's failure come last. Ranks that ended at the same time have no order.
void takeDeaths(std::vector<const Event *> deaths, Incident &incident)
{
    const auto key = [](const Event *death) {
        return std::tuple(isConsequence(causeOf(death->text, std::nullopt)), death->rank, death->time);
    };
    std::sort(deaths.begin(), deaths.end(), [&](const Event *a, const Event *b) { return key(a) < key(b); });
    const auto again = [](const Event *a, const Event *b) { return a->rank == b->rank; };
    deaths.erase(std::unique(deaths.begin(), deaths.end(), again), deaths.end());
    std::vector<DeathSpan> spans;
    for (const Event *death : deaths)
        if (std::get<bool>(key(death)) == std::get<bool>(key(deaths.front())))
            spans.push_back({secondsAfter(death->time, -deathEventDelay), death->time});
    const std::vector<std::size_t> first = firstOf(spans);
    for (const std::size_t i : first) incident.died.push_back(deaths[i]->rank);
    for (std::size_t i = 0; i < deaths.size(); ++i)
        if (!std::binary_search(first.begin(), first.end(), i)) incident.died.push_back(deaths[i]->rank);
    incident.first = static_cast<int>(first.size());
    incident.failed = deaths[first.front()]->time;
    incident.how = deaths[first.front()]->text;
}

void takeEvents(const std::vector<Event> &events, Incident &incident)
{
    std::vector<const Event *> deaths;
    for (const Event &event : events) {
        if (event.attempt != incident.attempt) continue;
        if (event.kind == EventKind::rankDied && event.rank >= 0) deaths.push_back(&event);
        if (event.kind == EventKind::nan && (!incident.notFinite || event.time < *incident.notFinite)) {
            incident.notFinite = event.time;
            incident.notFiniteRank = event.rank < 0 && !event.ranks.empty() ? event.ranks.front() : event.rank;
        }
    }
    if (!deaths.empty()) takeDeaths(deaths, incident);
}

// Acts between the beginning of the attempt and that of the next one. A stop that is part of a resume is not listed
// separately.
void takeActs(const std::vector<JournalEntry> &journal, WallTime begin, std::optional<WallTime> end, Incident &incident)
{
    std::string resume;
    for (const JournalEntry &entry : journal) {
        if (entry.time < begin || (end && entry.time > *end)) continue;
        if (entry.kind == "exit" && entry.state == "stopped") {
            incident.stopped = entry.time;
            incident.stoppedBy = who(entry);
        }
        if (entry.kind == "resume" && entry.state == "planned") {
            resume = entry.action;
            incident.decided = entry.time;
            incident.decidedBy = who(entry);
        }
    }
    for (const JournalEntry &entry : journal)
        if (!resume.empty() && entry.action == resume && Journal::isFinal(entry.state)) {
            incident.outcome = entry.state;
            // A proof is the first step of every rank; the history may have the time of the first of them.
            if (entry.state == "proven") incident.firstStep = entry.time;
        }
}

// Problems of the last attempt without an event: a console that started late has received none.
void takeAlarms(const std::vector<Alarm> &alarms, Incident &incident)
{
    for (const Alarm &alarm : alarms) {
        if (alarm.severity != Severity::alarm || alarm.code == AlarmCode::nodeLost) continue;
        const bool died = alarm.code == AlarmCode::jobDied || alarm.code == AlarmCode::rankDied;
        const bool told = died                               ? incident.failed.has_value()
                          : alarm.code == AlarmCode::nanLoss ? incident.notFinite.has_value()
                                                             : false;
        if (told || alarm.ranks.empty()) continue;
        if (died && alarm.since) {
            incident.failed = alarm.since;
            incident.died = alarm.ranks;
            incident.first = alarm.confirmed;
            incident.how = alarm.detail;
        } else if (alarm.code == AlarmCode::nanLoss && alarm.since) {
            incident.notFinite = alarm.since;
            incident.notFiniteRank = alarm.confirmed > 0 ? alarm.ranks.front() : -1;
        } else {
            incident.wrong += (incident.wrong.empty() ? "" : " ") + alarm.text();
        }
    }
}

}  // namespace

std::optional<std::int64_t> Incident::lostSteps() const
{
    if (!lastStep || !resumedFrom) return std::nullopt;
    return std::max<std::int64_t>(0, *lastStep - *resumedFrom);
}

std::optional<double> Incident::toDecision() const
{
    const std::optional<WallTime> from = failed ? failed : stopped;
    if (!from || !decided || *decided < *from) return std::nullopt;
    return secondsBetween(*from, *decided);
}

std::optional<double> Incident::toFirstStep() const
{
    if (!decided || !firstStep || *firstStep < *decided) return std::nullopt;
    return secondsBetween(*decided, *firstStep);
}

std::vector<Incident> incidentsOf(const std::vector<AttemptInfo> &attempts, const std::vector<Event> &events,
                                  const std::vector<JournalEntry> &journal, const std::map<int, WallTime> &firstSteps,
                                  const std::vector<Alarm> &alarms)
{
    std::vector<Incident> incidents;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        const AttemptInfo *next = i + 1 < attempts.size() ? &attempts[i + 1] : nullptr;
        Incident incident{.attempt = attempts[i].index, .wentOn = next != nullptr, .lastStep = attempts[i].lastStep};
        takeEvents(events, incident);
        if (!next) takeAlarms(alarms, incident);
        takeActs(journal, attempts[i].started, next ? std::optional(next->started) : std::nullopt, incident);
        if (next) {
            // A resume by another program is known only by its first step.
            incident.resumedFrom = next->resumedFrom;
            if (!incident.resumedFrom && next->firstStep) incident.resumedFrom = *next->firstStep - 1;
            if (const auto first = firstSteps.find(next->index); first != firstSteps.end())
                incident.firstStep = first->second;
        }
        if (next || incident.failed || incident.stopped || incident.notFinite || !incident.wrong.empty())
            incidents.push_back(std::move(incident));
    }
    return incidents;
}

}  // namespace rankdeck
