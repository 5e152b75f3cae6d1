// SPDX-License-Identifier: GPL-3.0-or-later
// Alarms about scheduler facts that need an action: the job does not start, its end is near, or one of its devices is
// unhealthy. A missing answer raises no alarm. If the scheduler no longer answers, its last answer is shown with its
// age.
#include "core/alarm/rules.h"

#include "core/base/text.h"
#include "core/scheduler/scheduler_state.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr double usualStart = 120;      // seconds: until then a job that waits is starting as all do
constexpr double endsSoon = 30 * 60.0;  // seconds before the time limit: enough for a stop that saves

// Name of the question that shows when the job ends: about the job itself (Slurm), or about its pods.
const char *endQuestion(SchedulerKind kind) { return kind == SchedulerKind::slurm ? "job" : "pods"; }

// Facts with one code. asOf: age of the oldest answer that the last round did not renew; empty: all answers are
// current.
struct Heard {
    std::vector<SchedulerFact> facts = {};
    std::optional<double> silent = {};
    std::optional<WallTime> asOf = {};  // with silent
};

void takeAge(Heard &heard, const SchedulerAnswer &answer, WallTime now)
{
    if (answer.problem.empty() || !answer.asOf) return;
    const double seconds = std::max(0.0, secondsBetween(*answer.asOf, now));
    if (heard.silent && *heard.silent >= seconds) return;
    heard.silent = seconds;
    heard.asOf = answer.asOf;
}

Heard heardOf(const SchedulerState &said, SchedulerFactCode code, WallTime now)
{
    Heard heard;
    for (const SchedulerAnswer &answer : said.answers)
        for (const SchedulerFact &fact : answer.facts) {
            if (fact.code != code) continue;
            heard.facts.push_back(fact);
            takeAge(heard, answer, now);
        }
    return heard;
}

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
    const Heard heard = heardOf(said, SchedulerFactCode::jobWaits, picture.now);
    if (heard.facts.empty() || !picture.fates.running.empty()) return std::nullopt;
    Alarm alarm{.code = AlarmCode::jobWaits};
    for (const SchedulerFact &fact : heard.facts)
        if (fact.time && (!alarm.since || *fact.time < *alarm.since)) alarm.since = fact.time;
    // A time without answers does not count as waiting, because the job may have been started in that time.
    if (alarm.since && secondsBetween(*alarm.since, heard.asOf.value_or(picture.now)) < usualStart) return std::nullopt;
    alarm.fact = heard.silent ? message("The job was not started at the scheduler's last answer, %1 ago",
                                        durationText(*heard.silent))
                              : message("The scheduler has not started the job");
    alarm.rest = message("The scheduler reports: %1.", alarm::firstLine(listed(heard.facts)));
    alarm.fix =
        said.kind == SchedulerKind::slurm
            ? "Wait, or request only what is available: \"scontrol show job " + said.job + "\" shows Slurm's reason."
            : "Wait, or request only what is available: \"kubectl describe podgroup\" shows Volcano's reason.";
    return alarm;
}

std::optional<Alarm> timeLimit(const Picture &picture, const SchedulerState &said)
{
    if (!said.ends || !picture.fates.mayRun()) return std::nullopt;
    const double left = secondsBetween(picture.now, *said.ends);
    if (left > endsSoon || left < 0) return std::nullopt;
    Heard heard;
    for (const SchedulerAnswer &answer : said.answers)
        if (answer.question == endQuestion(said.kind)) takeAge(heard, answer, picture.now);
    Alarm alarm{.code = AlarmCode::timeLimit};
    alarm.seconds = left;
    for (const std::vector<int> *ranks : {&picture.fates.running, &picture.fates.unknown})
        alarm.ranks.insert(alarm.ranks.end(), ranks->begin(), ranks->end());
    std::sort(alarm.ranks.begin(), alarm.ranks.end());
    const bool slurm = said.kind == SchedulerKind::slurm;
    const std::string ends = isoTime(*said.ends);
    alarm.fact = slurm ? message("The time limit will end the job in %1", durationText(left))
                       : message("The pods will be ended by force in %1", durationText(left));
    const Message when = slurm ? message("Slurm will end job %1 at %2", printable(said.job), ends)
                               : message("Kubernetes is deleting its pods and will end them at %1", ends);
    alarm.rest =
        heard.silent ? message("%1, as reported %2 ago.", when, durationText(*heard.silent)) : message("%1.", when);
    alarm.fix = slurm
                    ? "Stop gracefully before then, so that no work is lost; or ask the administrators for more time."
                    : "Unsaved work will be lost: stop gracefully now, unless an emergency checkpoint is being saved.";
    alarm.acts = {AlarmAct::stop};
    return alarm;
}

std::optional<Alarm> unhealthy(const Picture &picture, const SchedulerState &said)
{
    const Heard heard = heardOf(said, SchedulerFactCode::deviceUnhealthy, picture.now);
    if (heard.facts.empty()) return std::nullopt;
    Alarm alarm{.code = AlarmCode::deviceUnhealthy};
    takeNodes(alarm, picture, heard.facts);
    alarm.fact = heard.silent ? message("A device of the job was unhealthy at the scheduler's last answer, %1 ago",
                                        durationText(*heard.silent))
                              : message("A device of the job is unhealthy");
    alarm.rest = message("The scheduler reports: %1.", alarm::firstLine(listed(heard.facts)));
    alarm.fix = picture.fates.mayRun() ? "The job may be moved off that machine, or fail: keep the newest good set."
                                       : "A launch that requests all devices on that machine will wait or fail: repair "
                                         "the machine, or leave it out.";
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
