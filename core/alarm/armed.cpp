// SPDX-License-Identifier: GPL-3.0-or-later
// Alarms about a stop that takes longer than a few steps, and about a request that was left behind.
#include "core/alarm/rules.h"
#include "core/alarm/silence.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {
namespace {

constexpr double armedTooLong = 120;  // seconds

std::vector<std::string> armedNodes(const JobState &view)
{
    std::vector<std::string> nodes;
    for (const FlagState &flag : view.flags)
        if (flag.armed) nodes.push_back(flag.node);
    return nodes;
}

std::optional<WallTime> oldestFlag(const JobState &view)
{
    std::optional<WallTime> oldest;
    for (const FlagState &flag : view.flags)
        if (flag.armed && flag.since && (!oldest || *flag.since < *oldest)) oldest = flag.since;
    return oldest;
}

Message nextCheck(AlarmCase which)
{
    if (which == AlarmCase::willCheck) return message("The run stops at its next check.");
    if (which == AlarmCase::mayCheck)
        return message("Any rank that is still running stops at its next check, if it reaches one.");
    return message("A new run would stop after its first step.");
}

Alarm leftArmed(const Picture &picture, std::vector<std::string> nodes)
{
    Alarm alarm{.code = AlarmCode::leftArmed, .since = oldestFlag(picture.view), .nodes = std::move(nodes)};
    std::string where;
    for (const std::string &node : alarm.nodes) where += (where.empty() ? "" : ", ") + printable(node);
    alarm.stillRun = static_cast<int>(picture.fates.running.size());
    alarm.unheard = picture.fates.unknown;
    alarm.waitedFor = picture.fates.died;
    if (const std::optional<alarm::Stall> stall = alarm::findStall(picture); stall && alarm.waitedFor.empty())
        alarm.waitedFor = stall->silent;
    const bool mayRun = alarm.stillRun > 0 || !alarm.unheard.empty();
    const bool sure = alarm.waitedFor.empty() && alarm.unheard.empty();
    alarm.which = !mayRun ? AlarmCase::nobodyChecks : sure ? AlarmCase::willCheck : AlarmCase::mayCheck;
    const bool file = !picture.view.job.gracefulExit.stopFile.empty();
    alarm.fact =
        file ? message("The stop file is still there on %1", where) : message("GracefulExit is still 1 on %1", where);
    alarm.rest = nextCheck(alarm.which);
    alarm.fix = file ? "Remove it." : "Set it to 0.";
    alarm.acts = {AlarmAct::clearFlag};
    return alarm;
}

}  // namespace

std::vector<Alarm> armedAlarms(const Picture &picture)
{
    const std::optional<StopPicture> &stop = picture.stop;
    std::vector<Alarm> all;
    if (stop && stop->started) {
        const double seconds = secondsBetween(*stop->started, picture.now);
        const bool failed = stop->timedOut && picture.fates.anyRuns();
        if (failed || (stop->running && seconds >= armedTooLong)) {
            Alarm alarm{.code = AlarmCode::armedLong,
                        .which = failed ? AlarmCase::endedUnproven : AlarmCase::armed,
                        .since = stop->started};
            alarm.of = stop->ranks;
            alarm.confirmed = stop->leavesLines ? stop->confirmed : stop->exited;
            if (!failed) alarm.seconds = seconds;
            const Message obeyed = stop->leavesLines
                                       ? message("%1 of %2 ranks have confirmed", alarm.confirmed, stop->ranks)
                                       : message("%1 of %2 ranks have ended", alarm.confirmed, stop->ranks);
            alarm.fact = failed ? message("Not stopped: %1", obeyed)
                                : message("Armed for %1, %2", durationText(seconds), obeyed);
            alarm.rest = failed ? message("The stop ended without proof, and ranks are still running.")
                                : message("All were expected within a few steps.");
            alarm.fix = failed ? "Check the stop: request it again, or end the ranks."
                               : "Check the stop: end it, or end the ranks.";
            alarm.acts = {AlarmAct::showStop};
            all.push_back(std::move(alarm));
        }
    }
    if (std::vector<std::string> nodes = armedNodes(picture.view);
        !nodes.empty() && !(stop && stop->running) && !picture.stoppedElsewhere)
        all.push_back(leftArmed(picture, std::move(nodes)));
    return all;
}

}  // namespace rankdeck
