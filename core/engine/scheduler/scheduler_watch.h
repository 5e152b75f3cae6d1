// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a job's scheduler every 30 s (ten minutes after it has refused), and soon after something has happened, on a thread of
// its own, through one shell on the host that has kubectl or Slurm's programs. Nothing is written there. Callbacks come on
// that thread.
#pragma once

#include "core/base/clock.h"
#include "core/job/job.h"
#include "core/node/session/cluster/shell_runner.h"
#include "core/scheduler/scheduler_state.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace rankdeck {

// What owns the job's processes, as far as its file says.
SchedulerKind schedulerOf(const Job &job);

class SchedulerWatch {
public:
    using Told = std::function<void(SchedulerState)>;
    // job must outlive it. Begins at once.
    SchedulerWatch(const Job &job, const ConnectOptions &options, std::shared_ptr<SessionFactory> sessions, Told told);
    ~SchedulerWatch();  // ends a question that is under way
    SchedulerWatch(const SchedulerWatch &) = delete;
    SchedulerWatch &operator=(const SchedulerWatch &) = delete;

    void askSoon();                     // within two seconds
    void setSlurmJob(std::string job);  // as the ranks' environment says

private:
    void work(const Told &told);

    const Job &m_job;
    ShellRunner m_shell;  // the thread's own
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_soon = false;
    std::string m_slurmJob;
    std::atomic<bool> m_stopping = false;
    std::thread m_thread;
};

}  // namespace rankdeck
