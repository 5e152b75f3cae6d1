// SPDX-License-Identifier: GPL-3.0-or-later
// What the scheduler that owns a job's processes says of it: Kubernetes with Volcano and MindX DL, or Slurm. Plain values.
// Each question has its own answer and age: one that was not answered, or that this login may not ask, says so and is never
// "nothing is wrong". What it said before stays, with the time at which it was said.
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
    jobWaits,         // its processes do not run yet: why
    jobState,         // what it ended as, or that it is being restarted
    rescheduled,      // taken off its nodes and begun again, or requeued
    podEnded,         // a container ended, with its cause
    podWaits,         // a pod runs nothing
    faultRanks,       // ranks that MindX DL has recorded as failed
    deviceUnhealthy,  // a device on a node of the job
    nodeTrouble,      // a node of the job: not ready, short of something, closed to new jobs, drained, down
};
const char *schedulerFactName(SchedulerFactCode code);  // "job_waits" …: stable, in the JSON

// With a time it has happened then; without one it holds as long as it is said.
struct SchedulerFact {
    SchedulerFactCode code = SchedulerFactCode::jobState;
    std::string text = {};  // printable, one line
    std::string node = {};  // of the job file; empty: the job as a whole, or a machine that is none of its nodes
    std::optional<WallTime> time = {};
    bool operator==(const SchedulerFact &) const = default;
};

struct SchedulerAnswer {
    std::string question;                   // "pods", "pod group" …
    std::vector<SchedulerFact> facts = {};  // as they were answered last
    std::optional<WallTime> asOf = {};      // when that was; empty: never
    std::string problem = {};               // why the last try was no answer; empty: it was one
    bool mayNot = false;                    // because this login may not ask it
    bool operator==(const SchedulerAnswer &) const = default;
};

struct SchedulerState {
    SchedulerKind kind = SchedulerKind::none;
    std::string job = {};                  // its name or number there; empty: not known
    std::string state = {};                // in the scheduler's own word: "Running", "PENDING"; empty: not known
    std::string queue = {};                // or partition
    std::optional<int> restarts = {};      // how often it was begun again by itself
    std::optional<int> restartLimit = {};  // Kubernetes: spec.maxRetry
    std::optional<WallTime> ends =
        {};  // when it is ended by force: by Slurm's time limit, or because its pods are being deleted
    std::vector<SchedulerAnswer> answers = {};
    bool operator==(const SchedulerState &) const = default;

    [[nodiscard]] std::vector<SchedulerFact> facts() const;  // of all answers
    [[nodiscard]] std::vector<SchedulerFact> facts(SchedulerFactCode code) const;
};

}  // namespace rankdeck
