// SPDX-License-Identifier: GPL-3.0-or-later
// What the scheduler of the job says and somebody must act upon: it does not start the job, it will end it, or a device that
// the job uses is unhealthy. What it has not answered begins no alarm.
#include "core/alarm/rules.h"

#include "core/base/text.h"
#include "core/scheduler/scheduler_state.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double usualStart = 120;      // seconds: a job that waits no longer is starting as all do
constexpr double endsSoon = 30 * 60.0;  // seconds before the time limit: enough for a stop that saves

std::string listed(const std::vector<SchedulerFact> &facts)
{
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < facts.size() && i < shown; ++i) text += (text.empty() ? "" : "; ") + facts[i].text;
    if (facts.size() > shown) text += "; and " + std::to_string(facts.size() - shown) + " more";
    return text;
}

void takeNodes(Alarm &alarm, const Picture &picture, const std::vector<SchedulerFact> &facts)
{
    for (const NodeSpec &node : picture.view.job.nodes)
        for (const SchedulerFact &fact : facts) {
            const std::vector<std::string> names = split(replaceAll(fact.node, ", ", ","), ',');
            if (std::find(names.begin(), names.end(), node.name) == names.end()) continue;
            alarm.nodes.push_back(node.name);
            alarm.ranks.insert(alarm.ranks.end(), node.ranks.begin(), node.ranks.end());
            break;
        }
}

std::optional<Alarm> waits(const Picture &picture, const SchedulerState &said)
{
    const std::vector<SchedulerFact> facts = said.facts(SchedulerFactCode::jobWaits);
    if (facts.empty() || !picture.fates.running.empty()) return std::nullopt;
    Alarm alarm{.code = AlarmCode::jobWaits};
    for (const SchedulerFact &fact : facts)
        if (fact.time && (!alarm.since || *fact.time < *alarm.since)) alarm.since = fact.time;
    if (alarm.since && secondsBetween(*alarm.since, picture.now) < usualStart) return std::nullopt;
    alarm.detail = listed(facts);
    alarm.text = "The scheduler does not start the job: " + alarm.detail + ".";
    alarm.fix = said.kind == SchedulerKind::slurm
                    ? "Wait, or ask for what is there: \"scontrol show job " + said.job + "\" has Slurm's own words."
                    : "Wait, or ask for what is there: \"kubectl describe podgroup\" has Volcano's own words.";
    return alarm;
}

std::optional<Alarm> timeLimit(const Picture &picture, const SchedulerState &said)
{
    if (!said.ends || !picture.fates.mayRun()) return std::nullopt;
    const double left = secondsBetween(picture.now, *said.ends);
    if (left > endsSoon || left < 0) return std::nullopt;
    Alarm alarm{.code = AlarmCode::timeLimit};
    alarm.seconds = left;
    for (const std::vector<int> *ranks : {&picture.fates.running, &picture.fates.unknown})
        alarm.ranks.insert(alarm.ranks.end(), ranks->begin(), ranks->end());
    std::sort(alarm.ranks.begin(), alarm.ranks.end());
    alarm.detail = "Slurm ends job " + said.job + " at " + isoTime(*said.ends);
    alarm.text = "The time limit ends the job in " + durationText(left) + ": " + alarm.detail + ".";
    alarm.fix = "Stop gracefully before, so that it is saved; or ask the administrators for more time.";
    alarm.acts = {AlarmAct::stop};
    return alarm;
}

std::optional<Alarm> unhealthy(const Picture &picture, const SchedulerState &said)
{
    const std::vector<SchedulerFact> facts = said.facts(SchedulerFactCode::deviceUnhealthy);
    if (facts.empty()) return std::nullopt;
    Alarm alarm{.code = AlarmCode::deviceUnhealthy};
    takeNodes(alarm, picture, facts);
    alarm.detail = listed(facts);
    alarm.text = "A device of the job is unhealthy: " + alarm.detail + ".";
    alarm.fix =
        picture.fates.mayRun()
            ? "The job may be taken off that machine, or fail: see that the newest good set is kept."
            : "A launch that asks for all devices of that machine will wait or fail: repair it, or leave it out.";
    return alarm;
}

}  // namespace

std::vector<Alarm> schedulerAlarms(const Picture &picture)
{
    std::vector<Alarm> all;
    if (!picture.scheduler) return all;
    for (const auto rule : {waits, timeLimit, unhealthy})
        if (std::optional<Alarm> alarm = rule(picture, *picture.scheduler)) {
            alarm->of = static_cast<int>(picture.view.ranks.size());
            all.push_back(std::move(*alarm));
        }
    return all;
}

}  // namespace rankdeck
