// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's thread: start, stop, and the work of each turn.
#include "core/engine/engine_impl.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/work.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/engine/report_json.h"
#include "core/job/job_file.h"
#include "core/job/secrets.h"
#include "core/node/protocol/node_link.h"
#include "core/node/session/cluster/config_map_client.h"
#include "core/node/transport/session_factory.h"
#include "core/parse/lines/mindspore_lines.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace rankdeck {

namespace {

// Saving the history takes at most this fraction of a core. If the console is killed, the next one reads the missing
// part from the logs again.
constexpr int partsOfSaving = 1000;
constexpr auto longestUnsaved = std::chrono::seconds(15);
// The same limit for publishing new numbers while no window shows them. Alarms and events are not delayed.
constexpr int partsOfUnwatched = 1000;
constexpr std::chrono::nanoseconds unwatchedPause = std::chrono::seconds(1),
                                   longestUnwatched = std::chrono::seconds(10);

Job indexed(Job job)
{
    job.index();
    return job;
}

}  // namespace

Engine::Impl::Impl(Job job, EngineOptions options)
    : m_job(indexed(std::move(job))), m_options(std::move(options)), m_run(m_job.stepsPerEpoch),
      m_snapshot(std::make_shared<Snapshot>()),
      m_logs(m_job, m_run, m_runMutex,
             {.samples = [this](int rank, int attempt, const std::vector<Sample> &samples,
                                WallTime heard) { samplesCame(rank, attempt, samples, heard); },
              .event = [this](Event event) { addEvent(std::move(event)); },
              .logEvent = [this](int rank, const LogEvent &event, WallTime heard) { logEvent(rank, event, heard); },
              .attemptBegan =
                  [this](int attempt) {
                      m_ranks.attemptBegan(attempt);
                      m_attemptBegan = true;
                      m_parts.ranksChanged();
                      m_dirty = true;
                  },
              .rankOfPid = [this](const std::string &node, int pid) { return m_ranks.rankOfPid(node, pid); },
              .process = [this](int rank) { return m_ranks.sighting(rank); }}),
      m_ranks(m_job), m_flags(
                          m_job, [this](const std::string &name) { return store(name); },
                          [this](const std::string &name) {
                              const auto status = m_status.find(name);
                              return status == m_status.end() ? 0 : status->second.facts.clockSkewSeconds;
                          })
{}

Engine::Impl::~Impl() { stop(); }

namespace {

// Ranks without a node. They exist only in a job that was found on some of its hosts; a job file places all ranks.
std::string unplacedRanks(const Job &job)
{
    std::vector<int> unplaced;
    bool anyPlaced = false;
    for (int rank = 0; rank < job.ranks(); ++rank)
        job.nodeOf(rank) == nullptr ? unplaced.push_back(rank) : void(anyPlaced = true);
    if (unplaced.empty() || !anyPlaced) return {};
    const std::string ranks = ranksText(unplaced);
    return "Not watched: " + ranks + (unplaced.size() == 1 ? ", which is" : ", which are") +
           " on none of the job's known hosts. " +
           (unplaced.size() == 1 ? "Its state is unknown." : "Their state is unknown.");
}

}  // namespace

Status Engine::Impl::prepare()
{
    if (Status logs = m_logs.prepare(); !logs) return logs.error();
    if (const std::string unplaced = unplacedRanks(m_job); !unplaced.empty()) m_messages.push_back(unplaced);
    if (Status made = makeStateDirectory(m_options.stateDirectory); !made) return made.error();
    Result<std::unique_ptr<Journal>> journal = Journal::open(m_options.stateDirectory);
    if (!journal) return journal.error();
    m_journal = std::move(*journal);
    if (m_options.keepHistory) {
        Result<std::unique_ptr<History>> history = History::open(m_options.stateDirectory, m_job.name, m_job.file);
        if (history) {
            m_history = std::move(*history);
            std::vector<LogPosition> positions;
            if (!m_history->note().empty()) m_messages.push_back(m_history->note());
            if (Status loaded = m_history->load(m_run, positions); !loaded)
                m_messages.push_back(loaded.error().message);
            m_logs.restore(positions);
            for (const int rank : m_run.ranks())
                if (const RankProgress at = m_run.progress(rank); at.attempt == m_run.currentAttempt() && at.position)
                    m_ranks.samplesCame(rank, 0, at.heard);
            for (const Event &event : m_run.events())
                if (event.attempt == m_run.currentAttempt())
                    m_ranks.saidBefore(event, m_run.progress(event.rank).position);
            if (const auto seen = m_history->sightings()) {
                for (const RankSighting &one : *seen)
                    if (one.attempt == m_run.currentAttempt()) m_ranks.seenBefore(one);
            } else {
                m_messages.push_back(seen.error().message);
            }
            // The log lines that named these replicas are before the positions at which the logs are read on, so they
            // are taken from the history.
            for (const Event &event : m_run.events()) {
                if (event.kind != EventKind::ttp) continue;
                for (std::vector<int> group : replicaGroupsIn(event.text)) {
                    std::sort(group.begin(), group.end());
                    for (const int member : group) m_loggedReplicas[member] = group;
                }
            }
            if (const Result<std::string> report = m_history->report(); report && !report->empty())
                if (Result<CheckpointReport> kept = reportFromJson(*report)) m_found.report = std::move(*kept);
            if (m_history->readOnly())
                m_messages.emplace_back("Another console writes the history of this job; this one only reads it.");
            else if (Status kept = m_history->putJob(jobToJson(withoutSecrets(m_job))); !kept)
                m_messages.push_back(kept.error().message);
        } else {
            m_messages.push_back(history.error().message + " This run is watched without a history.");
        }
    }
    if (!m_options.sessions) m_options.sessions = makeSessionFactory();
    for (const NodeSpec &spec : m_job.nodes) {
        NodeStatus status;
        status.name = spec.name;
        m_status[spec.name] = status;
        m_nodeStates.push_back(status);
        if (m_options.connectToNodes) makeNode(spec);
    }
    if (!m_job.gracefulExit.configMap.empty() && m_options.connectToNodes)
        m_cluster = std::make_unique<ConfigMapClient>(m_job, m_options.connect, m_options.sessions);
    m_planner = std::make_unique<ActRunner>();
    m_keeper = std::make_unique<ActRunner>();
    m_actor = std::make_unique<ActRunner>();
    m_checkpoints = std::make_unique<CheckpointMonitor>(
        m_job, [this](const std::string &name) { return node(name); },
        [this](CheckpointMonitor::Found found) {
            post([this, found = std::move(found)]() mutable { newReport(std::move(found)); });
        });
    // Events from the history are not news.
    m_lastEvent = m_run.lastEventId();
    takeStepSeconds();
    publish();
    return Done{};
}

void Engine::Impl::makeNode(const NodeSpec &spec)
{
    const auto handed = m_options.connected.find(spec.name);
    const bool same = handed != m_options.connected.end() && handed->second->spec().host == spec.host &&
                      handed->second->spec().transport == spec.transport &&
                      handed->second->spec().python == spec.python && handed->second->spec().relay == spec.relay;
    if (!same) {
        m_nodes[spec.name] = std::make_shared<Node>(spec, m_options.connect, m_options.sessions, *this);
        return;
    }
    m_handed[spec.name] = handed->second;
    m_nodes[spec.name] = std::shared_ptr<Node>(handed->second, &handed->second->node());
}

void Engine::Impl::start()
{
    if (m_thread.joinable()) return;
    m_options.connected.clear();
    expectCheckpoints();
    for (const auto &[name, node] : m_handed) node->handTo(*this, name);
    sendWatches();
    if (const SchedulerKind kind = schedulerOf(m_job); kind != SchedulerKind::none && m_options.connectToNodes) {
        m_scheduler = std::make_shared<const SchedulerState>(SchedulerState{.kind = kind});
        m_schedulerWatch = std::make_unique<SchedulerWatch>(
            m_job, m_options.connect, m_options.sessions, [this](SchedulerState state) {
                post([this, state = std::move(state)]() mutable { schedulerAnswer(std::move(state)); });
            });
    }
    for (auto &[name, node] : m_nodes) {
        if (m_handed.contains(name)) continue;  // already running
        m_options.timing ? node->start(*m_options.timing) : node->start();
    }
    m_thread = std::thread([this] { loop(); });
}

// Order: first the actions end, while the job state that they use is still updated. Then the engine's thread ends, then
// the threads that query nodes, then the nodes. No object is destroyed before all threads that may use it have ended.
void Engine::Impl::stop()
{
    if (m_stopping.exchange(true)) return;
    m_changed.notify_all();
    if (m_actor) m_actor->stop();
    if (m_planner) m_planner->stop();
    if (m_keeper) m_keeper->stop();
    m_hangScans.stop();
    m_loopEnds = true;
    m_tailBudget.end();
    {
        const std::lock_guard lock(m_mutex);
        m_wake.notify_all();
    }
    if (m_thread.joinable()) m_thread.join();
    if (m_checkpoints) m_checkpoints->stop();
    m_schedulerWatch.reset();
    for (const auto &[name, node] : m_handed) node->leave(*this);  // other objects may still use the node
    m_handed.clear();
    m_nodes.clear();
    saveHistory();
}

void Engine::Impl::post(std::function<void()> call)
{
    const std::lock_guard lock(m_mutex);
    m_calls.push_back(std::move(call));
    m_wake.notify_all();
}

void Engine::Impl::loop()
{
    // Messages that arrive within this time from many nodes are handled in one turn.
    constexpr auto together = std::chrono::milliseconds(10), unwatchedTogether = std::chrono::milliseconds(200);
    while (!m_loopEnds) {
        if (m_backfills.empty()) std::this_thread::sleep_for(m_watched || m_acting ? together : unwatchedTogether);
        std::deque<std::function<void()>> calls;
        {
            std::unique_lock lock(m_mutex);
            const bool waitingForReply = !m_backfills.empty() || m_flags.waiting();
            const bool soon = m_dirty || m_numbersMoved || m_ranks.due();
            const auto nap = std::chrono::milliseconds(waitingForReply ? 20 : soon ? 50 : 250);
            waitFor(m_wake, lock, nap, [this] { return m_loopEnds || !m_calls.empty(); });
            calls.swap(m_calls);
        }
        for (const auto &call : calls) call();
        turn();
    }
    // The actions have ended: their last reports belong in the last snapshot.
    std::deque<std::function<void()>> calls;
    {
        const std::lock_guard lock(m_mutex);
        calls.swap(m_calls);
    }
    for (const auto &call : calls) call();
    if (m_dirty) publish();
}

void Engine::Impl::turn()
{
    const SteadyTime now = steadyNow();
    takeBackfills();
    askBackfills();
    if (m_flags.poll()) m_dirty = true;
    m_flagReadings = m_flags.readings();
    if (now >= m_nextSecond) {
        m_nextSecond = now + std::chrono::seconds(1);
        everySecond();
    } else if (m_ranks.due().value_or(SteadyTime::max()) <= now) {
        tickRanks();
    }
    if (now >= m_nextSave) {
        const auto before = workOfThisThread();
        saveHistory();
        const auto rest = restAfter(workOfThisThread() - before, partsOfSaving, longestUnsaved);
        m_nextSave = now + std::max<std::chrono::nanoseconds>(rest, std::chrono::seconds(3));
    }
    if (now >= m_nextLook) {
        m_nextLook = now + std::chrono::milliseconds(100);
        lookBackOnce();
        preflightWhenDue();
    }
    if (isPublishDue(now)) {
        m_published = now;
        const auto before = workOfThisThread();
        publish();
        m_publishRest = restAfter(workOfThisThread() - before, partsOfUnwatched, longestUnwatched);
    }
}

// A running action needs losses as its proof, so losses are published without a delay.
bool Engine::Impl::isPublishDue(SteadyTime now) const
{
    const bool numbersAlone = !m_dirty;
    const std::chrono::nanoseconds briefly = std::chrono::milliseconds(100);
    const bool canWait = numbersAlone && !m_watched && !m_acting;
    return (m_dirty || m_numbersMoved) &&
           now >= m_published + (canWait ? std::max(unwatchedPause, m_publishRest) : briefly);
}

void Engine::Impl::everySecond()
{
    m_logs.tick();
    takeStepSeconds();
    tickRanks();
    learnOffsets();
    expectCheckpoints();
    lookForOtherExits();
    // If a snapshot is due now, its alarms are judged with it.
    if (!isPublishDue(steadyNow())) watchAlarms();
}

void Engine::Impl::tickRanks()
{
    // Output that arrives after the end of a process is its last line, which must be known before the fate that it
    // explains.
    for (const int rank : m_ranks.leaving()) m_logs.ended(rank);
    if (!m_ranks.tick()) return;
    m_parts.ranksChanged();
    m_dirty = true;
}

void Engine::Impl::takeStepSeconds()
{
    const std::shared_lock lock(m_runMutex);
    const std::optional<double> seconds = m_run.stepSeconds();
    m_stepSecondsOf = m_run.currentAttempt();
    if (std::exchange(m_stepSeconds, seconds) != seconds) m_numbersMoved = true;
}

void Engine::Impl::askBackfills()
{
    if (m_backfills.size() > 8) return;  // the rest waits, because new bytes come first
    for (LogIngest::Backfill &wanted : m_logs.wantedBackfills()) {
        const auto reader = m_logReaders.find(wanted.node);
        NodeClient *client = node(reader == m_logReaders.end() ? wanted.node : reader->second);
        if (!client) continue;
        const int generation = m_logs.generation(wanted.id);
        Reply<std::vector<RangeReply>> reply = client->read({wanted.range});
        m_backfills.push_back({std::move(wanted), generation, std::move(reply)});
    }
}

void Engine::Impl::takeBackfills()
{
    for (std::size_t i = 0; i < m_backfills.size();) {
        PendingBackfill &pending = m_backfills[i];
        if (pending.reply.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
            ++i;
            continue;
        }
        Result<std::vector<RangeReply>> reply = pending.reply.get();
        if (reply && reply->size() == 1)
            m_logs.backfilled(pending.what.id, pending.generation, std::move(reply->front()));
        else
            m_logs.backfilled(pending.what.id, pending.generation,
                              reply ? fail(ErrorKind::protocol, message("The node returned no data")) : reply.error());
        m_backfills.erase(m_backfills.begin() + static_cast<std::ptrdiff_t>(i));
        m_dirty = true;
    }
}

void Engine::Impl::saveHistory()
{
    if (!m_history || m_history->readOnly()) return;
    Status saved = Done{};
    {
        const std::shared_lock lock(m_runMutex);
        saved = m_history->flush(m_run, m_logs.positions());
        if (saved) saved = m_history->putSightings(m_ranks.sightings(m_run.currentAttempt(), m_fateKnown));
    }
    if (saved)
        m_historySaved = wallNow();
    else if (m_messages.empty() || m_messages.back() != saved.error().message)
        m_messages.push_back(saved.error().message);
}

void Engine::Impl::addEvent(Event event)
{
    const std::unique_lock lock(m_runMutex);
    m_run.add(std::move(event));
    m_dirty = true;
}

}  // namespace rankdeck
