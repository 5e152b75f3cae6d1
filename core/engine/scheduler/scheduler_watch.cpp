// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/scheduler/scheduler_watch.h"

#include "core/engine/scheduler/scheduler_asker.h"
#include "core/node/session/cluster/kubectl_get.h"
#include "core/recover/launch/recipe.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::chrono::seconds usualPause(30), shortPause(2), refusedPause(600);

// Slurm's programs run on the node where jobs are submitted.
NodeSpec placeOf(const Job &job)
{
    if (schedulerOf(job) == SchedulerKind::kubernetes) return kubectlPlace(job);
    const NodeSpec *node = submitNode(job);
    return node ? *node : NodeSpec{.name = "local", .host = "local", .transport = TransportKind::local};
}

}  // namespace

SchedulerKind schedulerOf(const Job &job)
{
    if (std::any_of(job.nodes.begin(), job.nodes.end(),
                    [](const NodeSpec &node) { return node.host.starts_with("k8s:"); }))
        return SchedulerKind::kubernetes;
    const bool slurm =
        job.launch.recipe == "slurm" || !job.gracefulExit.scancel.empty() || !job.gracefulExit.slurmJob.empty();
    return slurm ? SchedulerKind::slurm : SchedulerKind::none;
}

SchedulerWatch::SchedulerWatch(const Job &job, const ConnectOptions &options, std::shared_ptr<SessionFactory> sessions,
                               Told told)
    : m_job(job), m_shell(std::move(sessions), placeOf(job), options, [this] { return m_stopping.load(); }),
      m_thread([this, told = std::move(told)] { work(told); })
{}

SchedulerWatch::~SchedulerWatch()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void SchedulerWatch::askSoon()
{
    const std::lock_guard lock(m_mutex);
    m_soon = true;
    m_wake.notify_all();
}

void SchedulerWatch::setSlurmJob(std::string job)
{
    const std::lock_guard lock(m_mutex);
    if (m_slurmJob == job) return;
    m_slurmJob = std::move(job);
    m_soon = true;
    m_wake.notify_all();
}

void SchedulerWatch::work(const Told &told)
{
    const auto asker =
        schedulerOf(m_job) == SchedulerKind::slurm ? askSlurm(m_job, m_shell) : askKubernetes(m_job, m_shell);
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        m_soon = false;
        const std::string slurmJob = m_slurmJob;
        lock.unlock();
        SchedulerState state = asker->round(slurmJob);
        if (!m_stopping) told(std::move(state));
        lock.lock();
        waitFor(m_wake, lock, shortPause, [this] { return m_stopping.load(); });
        waitFor(m_wake, lock, (asker->refused() ? refusedPause : usualPause) - shortPause,
                [this] { return m_stopping || m_soon; });
    }
}

}  // namespace rankdeck
