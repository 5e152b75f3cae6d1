// SPDX-License-Identifier: GPL-3.0-or-later
// One round of questions to a job's scheduler, on the thread of the watch. Only reads. If a question is not answered,
// its last answer stays, with the problem beside it: a round never fails as a whole.
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

// Answers of earlier rounds, and questions that need not be repeated yet.
class SchedulerAnswers {
public:
    // True if the question should be asked in this round. Questions that this login may never ask are repeated only
    // after ten minutes.
    [[nodiscard]] bool due(const std::string &question, SteadyTime now) const;
    void take(const std::string &question, SchedulerFacts facts, SteadyTime now);
    void forget(const std::string &question);  // the question does not apply to this job, or no longer does
    void fail(const Error &error);             // the round ended early; for all questions not asked in it
    void begin() { m_asked.clear(); }
    [[nodiscard]] std::vector<SchedulerAnswer> all() const { return m_answers; }

private:
    SchedulerAnswer &of(const std::string &question);

    std::vector<SchedulerAnswer> m_answers;
    std::map<std::string, SteadyTime> m_notBefore;
    std::vector<std::string> m_asked;
};

inline constexpr const char *machinesQuestion = "machines";
// Time limit for one answer. Slurm's own programs wait 10 s for a controller that does not answer.
inline constexpr std::chrono::seconds schedulerAnswerTime(15);

class SchedulerAsker {
public:
    virtual ~SchedulerAsker() = default;
    // slurmJob: from the environment of the ranks; empty: none.
    virtual SchedulerState round(const std::string &slurmJob) = 0;
    // True if the last round was refused as a whole, because of the login or the context. Asking again and again may
    // lock the account.
    [[nodiscard]] virtual bool refused() const = 0;
};

std::unique_ptr<SchedulerAsker> askKubernetes(const Job &job, ShellRunner &shell);
std::unique_ptr<SchedulerAsker> askSlurm(const Job &job, ShellRunner &shell);

}  // namespace rankdeck
