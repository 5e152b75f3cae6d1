// SPDX-License-Identifier: GPL-3.0-or-later
// Watch over a job's scheduler. Asks it every 30 s (ten minutes after a refusal), and soon after an event. Runs on its
// own thread, through one shell on the host that has kubectl or Slurm's programs. It never writes there. Callbacks are
// called on that thread.
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

// The scheduler that owns the job's processes, as far as the job file shows.
SchedulerKind schedulerOf(const Job &job);

class SchedulerWatch {
public:
    using Told = std::function<void(SchedulerState)>;
    // The job must live longer than the watch. Begins at once.
    SchedulerWatch(const Job &job, const ConnectOptions &options, std::shared_ptr<SessionFactory> sessions, Told told);
    ~SchedulerWatch();  // ends a running question
    SchedulerWatch(const SchedulerWatch &) = delete;
    SchedulerWatch &operator=(const SchedulerWatch &) = delete;

    void askSoon();                     // asks within two seconds
    void setSlurmJob(std::string job);  // id from the environment of the ranks

private:
    void work(const Told &told);

    const Job &m_job;
    ShellRunner m_shell;  // used only on the own thread
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_soon = false;
    std::string m_slurmJob;
    std::atomic<bool> m_stopping = false;
    std::thread m_thread;
};

}  // namespace rankdeck
