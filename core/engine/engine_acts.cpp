// SPDX-License-Identifier: GPL-3.0-or-later
// Actions: the engine as their ActionContext; they run on it one at a time.
#include "core/base/clock.h"
#include "core/engine/engine_impl.h"
#include "core/recover/stop/exit_consoles.h"
#include "core/recover/stop_method.h"

#include <future>
#include <utility>

namespace rankdeck {

JobState Engine::Impl::view() const
{
    const std::lock_guard lock(m_mutex);
    return m_snapshot->view;
}

SchedulerState Engine::Impl::scheduler() const
{
    const std::lock_guard lock(m_mutex);
    return m_snapshot->scheduler ? *m_snapshot->scheduler : SchedulerState{};
}

void Engine::Impl::waitForChange(SteadyTime deadline)
{
    std::unique_lock lock(m_mutex);
    waitUntil(m_changed, lock, deadline,
              [this] { return m_stopping || m_cancelling || m_confirmed || m_snapshot->generation > m_seenByAct; });
    m_seenByAct = m_snapshot->generation;
}

std::optional<ConfirmedRung> Engine::Impl::takeConfirmedRung()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_confirmed, std::nullopt);
}

void Engine::Impl::attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom)
{
    auto told = std::make_shared<std::promise<void>>();
    post([this, told, at, resumedFrom] {
        int before = 0, attempt = 0;
        {
            const std::unique_lock lock(m_runMutex);
            before = m_run.currentAttempt();
            attempt = m_run.launchedAttempt(at, resumedFrom);
        }
        if (attempt != before) m_ranks.attemptBegan(attempt);
        m_parts.ranksChanged();
        m_dirty = true;
        told->set_value();
    });
    // The engine's thread always runs this, unless the console is closing.
    std::future<void> done = told->get_future();
    while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready && !m_stopping) {}
}

void Engine::Impl::attemptCountsAnew(std::int64_t position)
{
    post([this, position] {
        {
            const std::unique_lock lock(m_runMutex);
            m_run.setStepOffset(m_run.currentAttempt(), position);
        }
        m_parts.ranksChanged();
        m_dirty = true;
    });
}

void Engine::Impl::expectLoads(const std::map<int, std::vector<std::string>> &paths)
{
    post([this, paths] { m_logs.expectLoads(paths); });
}

void Engine::Impl::refreshFlags()
{
    const std::uint64_t before = m_flagReadings;
    post([this] { m_flags.refresh(); });
    const SteadyTime deadline = steadyNow() + std::chrono::seconds(3);
    std::unique_lock lock(m_mutex);
    while (!m_stopping && m_flagReadings == before && steadyNow() < deadline)
        m_changed.wait_for(lock, std::chrono::milliseconds(50));
}

std::vector<PlacedSample> Engine::Impl::lossesBefore(int rank, std::int64_t from, std::int64_t to) const
{
    const std::shared_lock lock(m_runMutex);
    return m_run.losses(rank, from, to);  // asked before a launch
}

void Engine::Impl::setExit(const ExitReport &report)
{
    ++m_reportsMade;
    post([this, report] {
        m_exit = report;
        ++m_reportsTaken;
        m_dirty = true;
    });
}

void Engine::Impl::setResume(const ResumeReport &report)
{
    ++m_reportsMade;
    post([this, report] {
        m_resume = report;
        ++m_reportsTaken;
        m_dirty = true;
    });
}

Status Engine::Impl::startExit(ExitOptions options)
{
    if (m_acting.exchange(true))
        return fail(ErrorKind::conflict, message("Another action is running; wait for its outcome or cancel it"));
    m_cancelling = false;
    takeConfirmedRung();  // discards a force stop that was confirmed too late for the previous exit
    m_exiting = true;
    m_actor->run([this, options = std::move(options)] {
        setExit(runExit(*this, options, [this](const ExitReport &report) { setExit(report); }));
        exitEnded();
    });
    return Done{};
}

// If a force stop was confirmed while the exit was ending, a new exit begins with it, so that it is not lost.
void Engine::Impl::exitEnded()
{
    std::optional<ConfirmedRung> late;
    {
        const std::lock_guard lock(m_mutex);
        m_exiting = false;
        late = std::exchange(m_confirmed, std::nullopt);
    }
    m_acting = false;
    if (late && !m_stopping) {
        ExitOptions options;
        options.confirmed = std::move(late);
        const Status begun = startExit(std::move(options));
        if (!begun) post([this, text = begun.error().message] { m_messages.push_back(text); });
    }
    m_changed.notify_all();
}

Status Engine::Impl::cancelExit()
{
    if (m_exiting) {  // the exit itself withdraws the request and reports the result
        m_cancelling = true;
        m_changed.notify_all();
        return Done{};
    }
    if (m_acting.exchange(true))
        return fail(ErrorKind::conflict, message("A resume is running; there is no stop to cancel"));
    m_cancelling = false;
    m_actor->run([this] {
        setExit(rankdeck::cancelExit(*this, [this](const ExitReport &report) { setExit(report); }));
        m_acting = false;
        m_changed.notify_all();
    });
    return Done{};
}

// The same for all callers: a running exit takes over the force stop; otherwise an exit begins with it.
Status Engine::Impl::escalate(ConfirmedRung rung)
{
    if (rung.targets.empty()) return fail(ErrorKind::invalid, message("The list of processes to signal is empty"));
    {
        const std::lock_guard lock(m_mutex);
        if (m_exiting) {
            m_confirmed = std::move(rung);
            m_changed.notify_all();
            return Done{};
        }
    }
    ExitOptions options;
    options.confirmed = std::move(rung);
    return startExit(std::move(options));
}

Status Engine::Impl::startResume(ResumeOptions options)
{
    if (m_acting.exchange(true))
        return fail(ErrorKind::conflict, message("Another action is running; wait for its outcome or cancel it"));
    m_cancelling = false;
    m_actor->run([this, options = std::move(options)] {
        setResume(runResume(*this, options, [this](const ResumeReport &report) { setResume(report); }));
        m_acting = false;
        m_changed.notify_all();
    });
    return Done{};
}

bool Engine::Impl::waitAction(double seconds)
{
    std::unique_lock lock(m_mutex);
    const SteadyTime deadline =
        steadyNow() + std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(seconds));
    // The last report is published after the action has ended. Until then the snapshot may still have an older action's
    // report.
    const auto over = [this] {
        const bool exitTold = !m_snapshot->exit || !m_snapshot->exit->outcome.empty();
        const bool resumeTold = !m_snapshot->resume || !m_snapshot->resume->outcome.empty();
        return !m_acting && m_reportsPublished == m_reportsMade && exitTold && resumeTold &&
               (m_snapshot->exit || m_snapshot->resume);
    };
    while (!over() && steadyNow() < deadline) m_changed.wait_for(lock, std::chrono::milliseconds(100));
    return over();
}

// A console that was killed during an exit left its stop request set. The journal records that, and the first console
// that watches the job again informs the operator. Without a click nothing is changed on a node.
void Engine::Impl::lookBackOnce()
{
    if (m_lookedBack || !m_options.freshPreflight || !settled() || m_acting.exchange(true)) return;
    m_lookedBack = true;
    m_actor->run([this] {
        Message found = finishInterrupted(*this, false);
        post([this, found = std::move(found)]() mutable {
            m_unfinished = std::move(found);
            m_dirty = true;
        });
        m_acting = false;
    });
}

// Checks whether another console owns a stop request that is set. It reads the whole journal, so it does this only if a
// request is set that this console did not make.
void Engine::Impl::lookForOtherExits()
{
    const SharedVector<FlagState> &flags = m_flags.flags();
    const bool armed = std::any_of(flags.begin(), flags.end(), [](const FlagState &flag) { return flag.armed; });
    bool live = false;
    if (armed && !m_exiting)
        if (const auto others = otherExits(*m_journal, m_job, ""))
            live = std::any_of(others->begin(), others->end(),
                               [](const ExitElsewhere &other) { return other.kind == "exit" && other.live; });
    if (std::exchange(m_stoppedElsewhere, live) != live) m_dirty = true;
}

// Keeps a recent preflight while the job is watched, so that one click can request the stop at once.
void Engine::Impl::preflightWhenDue()
{
    const SteadyTime now = steadyNow();
    if (!m_options.freshPreflight || m_acting || !m_planner || m_planner->busy() || now < m_nextPreflight) return;
    if (!settled() || exitWayOf(m_job) == StopMethod::none) return;
    m_nextPreflight = now + std::chrono::seconds(8);
    m_planner->run([this] {
        ExitReport report = rankdeck::planExit(*this, {});
        post([this, report = std::move(report)]() mutable {
            m_preflight = std::move(report);
            m_preflightAt = wallNow();
            m_dirty = true;
        });
    });
}

}  // namespace rankdeck
