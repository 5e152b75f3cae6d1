// SPDX-License-Identifier: GPL-3.0-or-later
// One round of questions to a job's scheduler, on the watch's thread. Reads only. An unanswered question keeps its last
// answer, with the problem beside it: a round never fails as a whole.
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
    // Whether to ask in this round: questions that this login could never ask are repeated after ten minutes.
    [[nodiscard]] bool due(const std::string &question, SteadyTime now) const;
    void take(const std::string &question, SchedulerFacts facts, SteadyTime now);
    void forget(const std::string &question);  // the question has no meaning for this job, or none any more
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
// For one answer: its own programs wait 10 s for a controller that is away.
inline constexpr std::chrono::seconds schedulerAnswerTime(15);

class SchedulerAsker {
public:
    virtual ~SchedulerAsker() = default;
    // slurmJob: from the ranks' environment; empty: none.
    virtual SchedulerState round(const std::string &slurmJob) = 0;
    // Whether the last round was refused as a whole, by a login or a context: repeated questions may lock an account.
    [[nodiscard]] virtual bool refused() const = 0;
};

std::unique_ptr<SchedulerAsker> askKubernetes(const Job &job, ShellRunner &shell);
std::unique_ptr<SchedulerAsker> askSlurm(const Job &job, ShellRunner &shell);

}  // namespace rankdeck
