// SPDX-License-Identifier: GPL-3.0-or-later
// One round of questions to a job's scheduler, on the watch's thread. Reads only. What is not answered keeps what it was, with
// the problem beside it: nothing here fails as a whole.
#pragma once

#include "core/job/job.h"
#include "core/node/session/cluster/shell_runner.h"
#include "core/scheduler/scheduler_state.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

using SchedulerFacts = Result<std::vector<SchedulerFact>>;

// What the rounds before have answered, and which questions are not worth asking again yet.
class SchedulerAnswers {
public:
    // Whether it is asked in this round: what this login could never ask is asked again after ten minutes.
    [[nodiscard]] bool due(const std::string &question, SteadyTime now) const;
    void take(const std::string &question, SchedulerFacts facts, SteadyTime now);
    void forget(const std::string &question);  // it has no meaning for this job, or no more
    void fail(const Error &error);             // of a round that came to an end: all that was not asked in it
    void begin() { m_asked.clear(); }
    [[nodiscard]] std::vector<SchedulerAnswer> all() const { return m_answers; }

private:
    SchedulerAnswer &of(const std::string &question);

    std::vector<SchedulerAnswer> m_answers;
    std::map<std::string, SteadyTime> m_notBefore;
    std::vector<std::string> m_asked;
};

inline constexpr const char *machinesQuestion = "machines";
// For one answer: a controller that is away is waited for 10 s by its own programs.
inline constexpr std::chrono::seconds schedulerAnswerTime(15);

class SchedulerAsker {
public:
    virtual ~SchedulerAsker() = default;
    // slurmJob: what the ranks' environment says; empty: nothing.
    virtual SchedulerState round(const std::string &slurmJob) = 0;
    // Whether the last round was refused as a whole, by a login or a context: asked again and again, an account may be locked.
    [[nodiscard]] virtual bool refused() const = 0;
};

std::unique_ptr<SchedulerAsker> askKubernetes(const Job &job, ShellRunner &shell);
std::unique_ptr<SchedulerAsker> askSlurm(const Job &job, ShellRunner &shell);

}  // namespace rankdeck
