// SPDX-License-Identifier: GPL-3.0-or-later
// State of a job from the scheduler that owns its processes: Kubernetes with Volcano and MindX DL, or Slurm. Plain
// values. Each question has its own answer and age. A question that was not answered, or that this login may not ask,
// is marked so and never means "nothing is wrong". Its last answer stays, with the time of that answer.
#pragma once

#include "core/base/clock.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

enum class SchedulerKind { none, kubernetes, slurm };
const char *schedulerKindName(SchedulerKind kind);  // "kubernetes", "slurm", "": stable, in the JSON
const char *schedulerKindWord(SchedulerKind kind);  // for people: "Kubernetes", "Slurm", ""

enum class SchedulerFactCode {
    jobWaits,         // its processes do not run yet: the reason
    jobState,         // its end state, or that it is being restarted
    rescheduled,      // removed from its nodes and begun again, or requeued
    podEnded,         // a container ended, with its cause
    podWaits,         // a pod runs nothing
    faultRanks,       // ranks that MindX DL has recorded as failed
    deviceUnhealthy,  // a device on a node of the job
    nodeTrouble,      // a node of the job: not ready, out of some resource, closed to new jobs, drained, down
};
const char *schedulerFactName(SchedulerFactCode code);  // "job_waits" …: stable, in the JSON

// With a time: it happened then. Without a time: it is true as long as the answer contains it.
struct SchedulerFact {
    SchedulerFactCode code = SchedulerFactCode::jobState;
    std::string text = {};  // printable, one line
    std::string node = {};  // of the job file; empty: the whole job, or a machine without a node of the job
    std::optional<WallTime> time = {};
    bool operator==(const SchedulerFact &) const = default;
};

struct SchedulerAnswer {
    std::string question;                   // "pods", "pod group" …
    std::vector<SchedulerFact> facts = {};  // from the last answer
    std::optional<WallTime> asOf = {};      // when that was; empty: never
    Message problem = {};                   // reason why the last try failed; empty: it succeeded
    bool mayNot = false;                    // because this login may not ask it
    bool operator==(const SchedulerAnswer &) const = default;
};

struct SchedulerState {
    SchedulerKind kind = SchedulerKind::none;
    std::string job = {};                  // its name or number there; empty: unknown
    std::string state = {};                // the scheduler's own name for it: "Running", "PENDING"; empty: unknown
    std::string queue = {};                // or partition
    std::optional<int> restarts = {};      // number of automatic restarts
    std::optional<int> restartLimit = {};  // Kubernetes: spec.maxRetry
    std::optional<WallTime> ends =
        {};  // when it is ended by force: by Slurm's time limit, or because its pods are being deleted
    std::vector<SchedulerAnswer> answers = {};
    bool operator==(const SchedulerState &) const = default;

    [[nodiscard]] std::vector<SchedulerFact> facts() const;  // of all answers
    [[nodiscard]] std::vector<SchedulerFact> facts(SchedulerFactCode code) const;
};

}  // namespace rankdeck
