// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scheduler/scheduler_state.h"

#include <algorithm>
#include <iterator>

namespace rankdeck {

const char *schedulerKindName(SchedulerKind kind)
{
    switch (kind) {
    case SchedulerKind::none: break;
    case SchedulerKind::kubernetes: return "kubernetes";
    case SchedulerKind::slurm: return "slurm";
    }
    return "";
}

const char *schedulerKindWord(SchedulerKind kind)
{
    switch (kind) {
    case SchedulerKind::none: break;
    case SchedulerKind::kubernetes: return "Kubernetes";
    case SchedulerKind::slurm: return "Slurm";
    }
    return "";
}

const char *schedulerFactName(SchedulerFactCode code)
{
    switch (code) {
    case SchedulerFactCode::jobWaits: return "job_waits";
    case SchedulerFactCode::jobState: return "job_state";
    case SchedulerFactCode::rescheduled: return "rescheduled";
    case SchedulerFactCode::podEnded: return "pod_ended";
    case SchedulerFactCode::podWaits: return "pod_waits";
    case SchedulerFactCode::faultRanks: return "fault_ranks";
    case SchedulerFactCode::deviceUnhealthy: return "device_unhealthy";
    case SchedulerFactCode::nodeTrouble: return "node_trouble";
    }
    return "job_state";
}

std::vector<SchedulerFact> SchedulerState::facts() const
{
    std::vector<SchedulerFact> all;
    for (const SchedulerAnswer &answer : answers)
        std::copy(answer.facts.begin(), answer.facts.end(), std::back_inserter(all));
    return all;
}

std::vector<SchedulerFact> SchedulerState::facts(SchedulerFactCode code) const
{
    std::vector<SchedulerFact> all = facts();
    all.erase(std::remove_if(all.begin(), all.end(), [code](const SchedulerFact &fact) { return fact.code != code; }),
              all.end());
    return all;
}

}  // namespace rankdeck
