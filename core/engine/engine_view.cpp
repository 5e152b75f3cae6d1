// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the snapshot for all readers from everything that is known, and handles the changes in a new checkpoint report.
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/engine/engine_impl.h"
#include "core/engine/lost_work.h"
#include "core/engine/report_json.h"
#include "core/engine/scheduler/scheduler_news.h"
#include "core/state/step_offsets.h"
#include "core/state/step_time.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace rankdeck {

void Engine::Impl::fillView(JobState &view)
{
    view.job = m_job;
    view.nodes = m_nodeStates;
    view.flags = m_flags.flags();
    view.mountedFlags = m_flags.mounted();
    view.checkpoints = m_found.report;
    if (m_found.inventory) view.inventory = m_found.inventory;
    view.newestIsGracefulReady = m_found.gracefulReady;
    const std::shared_lock lock(m_runMutex);
    view.attempts = m_run.attempts();
    view.attempt = m_run.currentAttempt();
    if (m_stepSecondsOf == view.attempt) view.stepSeconds = m_stepSeconds;
    view.stepsPerEpoch = m_run.stepsPerEpoch();
    m_parts.refresh();
    view.ranks = m_parts.ranks();
    view.recentEvents = m_parts.recentEvents();
    takeKept(view);
    view.kept = m_kept;
}

// Makes the kept sets again only if a listing, or the data that places sets, has changed.
void Engine::Impl::takeKept(const JobState &view)
{
    if (!std::exchange(m_keptChanged, false)) return;
    Expectation expected = m_expected;
    expected.running = false;  // no process is writing a kept set
    expected.now = wallNow();
    m_kept = std::make_shared<const KeptSets>(keptSetsOf(view, m_keptDirectories, expected));
}

// The missing answers from nodes and about checkpoints: without them the snapshot is not complete.
std::vector<std::string> Engine::Impl::awaited() const
{
    std::vector<std::string> all;
    bool checkpointsWanted = false;
    std::unordered_set<std::string_view> keptUnlisted;  // nodes
    for (const KeptDirectory &one : m_keptDirectories)
        if (!one.listing) keptUnlisted.insert(one.node);
    for (const NodeSpec &spec : m_job.nodes) {
        if (!m_nodes.count(spec.name)) continue;
        const NodeStatus &status = m_status.at(spec.name);
        if (m_gaveUp.count(spec.name) && status.state != NodeState::live) continue;
        if (status.state == NodeState::needsYou) continue;
        if (status.state != NodeState::live) {
            all.push_back(spec.name + " to answer");
            continue;
        }
        const bool listed = m_job.checkpoints.path.empty() || m_found.nodes.count(spec.name) > 0;
        if (!m_logs.answered(spec.name)) all.push_back("the logs of " + spec.name);
        if (!m_processesSeen.count(spec.name)) all.push_back("the processes of " + spec.name);
        if (!m_flags.answered(spec.name)) all.push_back("the stop request on " + spec.name);
        if (!listed) all.push_back("the list of checkpoints of " + spec.name);
        if (keptUnlisted.contains(spec.name)) all.push_back("the list of kept sets of " + spec.name);
        checkpointsWanted = checkpointsWanted || !m_job.checkpoints.path.empty();
    }
    if (all.empty() && checkpointsWanted && !(m_foundOnce && m_found.report.settled))
        all.emplace_back("the verdicts of the checkpoints");
    // Ranks that had ended before the first check get the usual time for their last lines.
    if (all.empty() && !m_wasSettled && !m_ranks.leaving().empty())
        all.emplace_back("the last log lines of ranks that are gone");
    if (all.empty() && !m_wasSettled && !m_ranks.undecided(m_stepSecondsOf < 0).empty())
        all.emplace_back("new log lines of ranks without a process");
    return all;
}

bool Engine::Impl::settled() const { return m_awaited.empty(); }

void Engine::Impl::publish()
{
    if (m_dirty || !m_awaited.empty()) m_awaited = awaited();
    m_wasSettled = m_wasSettled || m_awaited.empty();
    auto next = std::make_shared<Snapshot>();
    next->generation = ++m_generation;
    next->at = wallNow();
    fillView(next->view);
    // A console that started too late to see steps derives the step time from the sets.
    if (const auto step = next->view.stepSeconds ? next->view.stepSeconds : stepSecondsOfSets(next->view))
        m_ranks.lineEvery(*step * static_cast<double>(m_lineSteps));
    {
        const std::shared_lock lock(m_runMutex);
        next->view.lostWork = lostWorkOf(next->view, m_run);
        next->samples = m_run.sampleCount();
    }
    if (next->view.checkpoints.recommended && next->view.lostWork.known && !next->view.lostWork.fromKept)
        next->view.checkpoints.recommendedText += "; " + grouped(next->view.lostWork.steps) +
                                                  (next->view.lostWork.steps == 1 ? " step" : " steps") +
                                                  " behind the last sample";
    next->bytesRead = m_bytesRead;
    next->awaited = m_awaited;
    next->settled = next->awaited.empty();
    next->scheduler = m_scheduler;
    next->hangScan = m_hangScans.newest();
    next->backfill = m_logs.backfillShare();
    next->exit = m_exit;
    next->resume = m_resume;
    next->stoppedElsewhere = m_stoppedElsewhere;
    next->exitPreflight = m_preflight;
    next->exitPreflightAt = m_preflightAt;
    if (m_history) next->historyPath = m_history->path();
    next->historySaved = m_historySaved;
    next->messages = m_messages;
    next->unfinished = m_unfinished;
    tellSlurmJob();
    const bool numbersAlone = !std::exchange(m_dirty, false);
    m_numbersMoved = false;
    judgeAlarms(*next, numbersAlone);
    Update update;
    std::swap(update, m_update);
    {
        const std::shared_lock lock(m_runMutex);
        update.events = m_run.events(m_lastEvent);
    }
    if (!update.events.empty()) m_lastEvent = update.events.back().id;
    m_update.attempt = update.attempt;
    std::vector<std::shared_ptr<Subscriber>> subscribers;
    {
        const std::lock_guard lock(m_mutex);
        m_snapshot = std::move(next);
        m_reportsPublished = m_reportsTaken;
        for (const auto &[id, subscriber] : m_subscribers) subscribers.push_back(subscriber);
    }
    m_changed.notify_all();
    const bool happened = !update.samples.empty() || !update.events.empty() || !update.nodes.empty() ||
                          !update.verdicts.empty() || !update.alarms.empty();
    for (const auto &subscriber : subscribers) {
        if (subscriber->update && happened) subscriber->update(update);
        if (subscriber->changed) subscriber->changed();
    }
}

namespace {

std::string reportText(const CheckpointReport &report)
{
    return reportJson(report).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

void Engine::Impl::newReport(CheckpointMonitor::Found found)
{
    const CheckpointReport before = std::move(m_found.report);
    m_found = std::move(found);
    const bool first = !std::exchange(m_foundOnce, true);
    if (!first && before == m_found.report) return;
    verdictEvents(before, m_found.report);
    if (m_history && !m_history->readOnly() && m_found.report.settled)
        if (const Status kept = m_history->putReport(reportText(m_found.report)); !kept)
            m_messages.push_back(kept.error().message);
    learnOffsets();
    m_dirty = true;
}

// An event for each set whose verdict has become final since the last report; the first report causes no events.
void Engine::Impl::verdictEvents(const CheckpointReport &before, const CheckpointReport &after)
{
    const bool quiet = before.sets.empty() && after.sets.size() > 1;
    for (const CheckpointSet &set : after.sets) {
        const CheckpointSet *old = before.find(set.id);
        if (old && old->verdict == set.verdict && old->reasons.size() == set.reasons.size()) continue;
        m_update.verdicts.push_back(set);
        const bool pruned =
            !set.reasons.empty() && set.reasons.front().code == "pruned";  // retention at work: no event
        const bool final = set.verdict != Verdict::unknown && set.verdict != Verdict::inProgress && !pruned;
        if (quiet || !final || (old && old->verdict == set.verdict)) continue;
        Event event;
        event.time = wallNow();
        event.kind = EventKind::setJudged;
        event.attempt = set.attempt;
        event.position = set.position;
        for (const MemberVerdict &member : set.members)
            if (member.state != MemberState::missing) event.ranks.push_back(member.rank);
        const Message why = set.reasons.empty()
                                ? message("%1 of %2 files complete, same step", event.ranks.size(), after.worldSize)
                                : set.reasons.front().text;
        event.text = set.position ? message("Step %1: %2, %3", grouped(*set.position), verdictMessage(set.verdict), why)
                                  : message("Set %1: %2, %3", set.id, verdictMessage(set.verdict), why);
        addEvent(std::move(event));
    }
}

void Engine::Impl::learnOffsets()
{
    const std::unique_lock lock(m_runMutex);
    const std::vector<AttemptInfo> attempts = m_run.attempts();
    const auto nominal = [&](const CheckpointSet &saved) { return m_run.nominal(saved.epoch, saved.step); };
    for (const auto &[index, offset] : stepOffsetsOf(m_found.report, attempts, nominal)) {
        const auto is = [&, at = index](const AttemptInfo &attempt) { return attempt.index == at; };
        if (std::find_if(attempts.begin(), attempts.end(), is)->stepOffset == offset) continue;
        m_run.setStepOffset(index, offset);
        m_parts.ranksChanged();
        m_dirty = true;
    }
}

void Engine::Impl::samplesCame(int rank, int attempt, const std::vector<Sample> &samples, WallTime heard)
{
    const auto isFinite = [](const Sample &sample) {
        return std::isfinite(sample.loss) && std::isfinite(sample.gradNorm.value_or(0));
    };
    m_numbersMoved = true;
    m_dirty = m_dirty || !std::all_of(samples.begin(), samples.end(), isFinite);
    m_ranks.samplesCame(rank, samples.back().offset, heard);
    m_parts.rankChanged(rank);
    m_update.attempt = std::max(0, attempt);
    const std::shared_lock lock(m_runMutex);
    std::optional<std::int64_t> before;
    for (Sample sample : samples) {
        if (const auto nominal = m_run.nominal(sample.epoch, sample.step); !sample.globalStep)
            sample.globalStep = nominal;
        if (before && sample.globalStep) m_lineSteps = std::clamp<std::int64_t>(*sample.globalStep - *before, 1, 1000);
        before = sample.globalStep;
        m_update.samples.emplace_back(rank, sample);
    }
}

void Engine::Impl::logEvent(int rank, const LogEvent &event, WallTime heard)
{
    m_ranks.logEvent(rank, event, m_logs.pathOf(rank), heard);
    m_parts.rankChanged(rank);
    for (std::vector<int> group : event.replicaGroups) {
        std::sort(group.begin(), group.end());
        for (const int member : group) m_loggedReplicas[member] = group;
    }
}

void Engine::Impl::expectCheckpoints()
{
    if (!m_checkpoints) return;
    Expectation expected;
    expected.worldSize = m_job.worldSize > 0 ? m_job.worldSize : m_job.ranks();
    expected.worldSizeFrom = "job";
    expected.explain = m_options.explain;
    expected.frameworkName = frameworkName(m_job.framework);
    takeReplicas(m_job, expected);
    expected.loggedReplicas = m_loggedReplicas;
    expected.running = m_ranks.running();
    if (expected.running)
        m_ranUntil = wallNow();
    else
        expected.ranUntil = m_ranUntil;
    m_checkpoints->filesMove(m_acting && m_resume && m_resume->outcome.empty());
    const std::shared_lock lock(m_runMutex);
    expected.stepsPerEpoch = m_run.stepsPerEpoch();
    const std::vector<AttemptInfo> attempts = m_run.attempts();
    // A single attempt gives no history, so earlier sets are placed only by their names and times.
    if (attempts.size() > 1)
        for (const AttemptInfo &attempt : attempts)
            expected.attempts.push_back({attempt.index, attempt.started, attempt.stepOffset});
    m_keptChanged = m_keptChanged || expected.stepsPerEpoch != m_expected.stepsPerEpoch ||
                    expected.attempts.size() != m_expected.attempts.size();
    m_expected = expected;
    m_checkpoints->expect(std::move(expected));
}

void Engine::Impl::schedulerAnswer(SchedulerState state)
{
    const WallTime now = wallNow();
    const SchedulerState *before = m_scheduler && !m_scheduler->answers.empty() ? m_scheduler.get() : nullptr;
    std::vector<Event> history;
    if (!before) {
        const std::shared_lock lock(m_runMutex);
        history = m_run.events();
    }
    for (Event &event : schedulerNews(before, state, m_job, history, now)) {
        event.attempt = std::max(0, m_run.currentAttempt());
        addEvent(std::move(event));
    }
    m_scheduler = std::make_shared<const SchedulerState>(std::move(state));
    m_dirty = true;
}

// Uses the Slurm job of the newest launch, because ranks of an older one may still be ending.
void Engine::Impl::tellSlurmJob()
{
    if (!m_schedulerWatch || schedulerOf(m_job) != SchedulerKind::slurm) return;
    if (std::exchange(m_slurmJobKnown, true)) return;
    std::string newest;
    for (const RankState &rank : m_parts.ranks()) {
        if (!rank.process) continue;
        const auto id = rank.process->env.find("SLURM_JOB_ID");
        if (id == rank.process->env.end() || !decimal(id->second)) continue;
        if (decimal(id->second) > decimal(newest)) newest = id->second;
    }
    if (!newest.empty()) m_schedulerWatch->setSlurmJob(std::move(newest));
}

std::string Engine::Impl::logPathOf(int rank) const
{
    const std::lock_guard lock(m_mutex);
    const SharedVector<RankState> &ranks = m_snapshot->view.ranks;
    const auto at = std::find_if(ranks.begin(), ranks.end(), [&](const RankState &one) { return one.rank == rank; });
    return at == ranks.end() ? std::string() : at->logPath;
}

std::optional<Member> Engine::Impl::memberOf(const std::string &setId, int rank) const
{
    std::shared_ptr<const Snapshot> now;
    {
        const std::lock_guard lock(m_mutex);
        now = m_snapshot;
    }
    const CheckpointSet *set = now->view.checkpoints.find(setId);
    if (!set) return std::nullopt;
    for (const MemberVerdict &verdict : set->members) {
        if (verdict.rank != rank || verdict.path.empty()) continue;
        for (const Member &member : now->view.inventory->members)
            if (member.file.path == verdict.path && (verdict.node.empty() || member.node == verdict.node))
                return member;
    }
    return std::nullopt;
}

}  // namespace rankdeck
