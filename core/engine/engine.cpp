// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine.h"

#include "core/base/files.h"
#include "core/engine/engine_context.h"
#include "core/engine/engine_impl.h"
#include "core/verdict/table/arrangement.h"

#include <algorithm>

namespace rankdeck {

Result<std::unique_ptr<Engine>> Engine::make(Job job, EngineOptions options)
{
    auto engine = std::unique_ptr<Engine>(new Engine);
    if (options.stateDirectory.empty()) options.stateDirectory = defaultStateDirectory();
    if (options.connect.sshConfig.empty()) options.connect.sshConfig = job.sshConfig;
    engine->m_impl = std::make_unique<Impl>(std::move(job), std::move(options));
    if (Status prepared = engine->m_impl->prepare(); !prepared) return prepared.error();
    return engine;
}

Engine::Engine() = default;
Engine::~Engine() = default;

ActionContext &actionContextOf(Engine &engine) { return *engine.m_impl; }

void Engine::start() { m_impl->start(); }
void Engine::stop() { m_impl->stop(); }

std::shared_ptr<const Snapshot> Engine::snapshot() const
{
    const std::lock_guard lock(m_impl->m_mutex);
    return m_impl->m_snapshot;
}

bool Engine::waitSettled(double seconds)
{
    std::unique_lock lock(m_impl->m_mutex);
    return waitFor(m_impl->m_changed, lock, std::chrono::duration<double>(seconds),
                   [&] { return m_impl->m_snapshot->settled; });
}

std::uint64_t Engine::waitChange(std::uint64_t seenGeneration, double seconds)
{
    std::unique_lock lock(m_impl->m_mutex);
    waitFor(m_impl->m_changed, lock, std::chrono::duration<double>(seconds),
            [&] { return m_impl->m_snapshot->generation > seenGeneration; });
    return m_impl->m_snapshot->generation;
}

int Engine::subscribe(std::function<void()> snapshotChanged, std::function<void(const Update &)> update)
{
    const std::lock_guard lock(m_impl->m_mutex);
    const int id = m_impl->m_nextSubscriber++;
    m_impl->m_subscribers[id] =
        std::make_shared<Impl::Subscriber>(Impl::Subscriber{std::move(snapshotChanged), std::move(update)});
    return id;
}

void Engine::unsubscribe(int id)
{
    const std::lock_guard lock(m_impl->m_mutex);
    m_impl->m_subscribers.erase(id);
}

void Engine::withRun(const std::function<void(const Run &)> &use) const
{
    const std::shared_lock lock(m_impl->m_runMutex);
    use(m_impl->m_run);
}

void Engine::answer(const std::string &node, Answer answer)
{
    m_impl->post([this, node, answer = std::move(answer)]() mutable {
        if (const auto at = m_impl->m_nodes.find(node); at != m_impl->m_nodes.end())
            at->second->answer(std::move(answer));
    });
}

void Engine::retryNow(const std::string &node)
{
    m_impl->post([this, node] {
        if (const auto at = m_impl->m_nodes.find(node); at != m_impl->m_nodes.end()) at->second->retryNow();
    });
}

void Engine::setOnScreen(std::vector<int> ranks)
{
    m_impl->post([this, ranks = std::move(ranks)]() mutable {
        if (m_impl->m_onScreen == ranks) return;
        m_impl->m_onScreen = std::move(ranks);
        m_impl->sendWatches();
    });
}

void Engine::setWatched(bool watched)
{
    m_impl->post([this, watched] {
        if (std::exchange(m_impl->m_watched, watched) != watched) m_impl->sendWatches();
    });
}

void Engine::readLog(int rank, std::uint64_t offset, std::uint32_t bytes, std::function<void(Result<RangeReply>)> done)
{
    m_impl->m_planner->run([this, rank, offset, bytes, done = std::move(done)] {
        const NodeSpec *spec = m_impl->m_job.nodeOf(rank);
        NodeClient *node = spec ? m_impl->node(spec->name) : nullptr;
        if (!node) return done(fail(ErrorKind::notFound, message("Rank %1 is not on a connected node", rank)));
        // Takes the path from the snapshot, because only the engine thread may use the logs.
        Reply<std::vector<RangeReply>> asked = node->read({{m_impl->logPathOf(rank), offset, bytes, false}});
        while (asked.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
            if (m_impl->closing()) return done(fail(ErrorKind::cancelled, message("The console is closing")));
        Result<std::vector<RangeReply>> reply = asked.get();
        if (!reply) return done(reply.error());
        if (reply->empty()) return done(fail(ErrorKind::protocol, message("The node returned nothing")));
        done(std::move(reply->front()));
    });
}

void Engine::inspect(const std::string &setId, int rank, std::function<void(Result<Inspection>)> done)
{
    const std::optional<Member> member = m_impl->memberOf(setId, rank);
    if (!member)
        return m_impl->post([setId, rank, done = std::move(done)] {
            done(fail(ErrorKind::notFound, message("Set %1 has no file for rank %2", setId, rank)));
        });
    m_impl->m_checkpoints->inspect(
        *member, EvidenceLevel::L3,
        [now = snapshot(), setId, rank, member = *member, done = std::move(done)](Result<Evidence> read) {
            if (!read) return done(read.error());
            const CheckpointSet *set = now->view.checkpoints.find(setId);
            Inspection out{.evidence = std::move(*read)};
            if (set) out.places = placesOf(now->view.checkpoints, *set, rank, member, out.evidence);
            done(std::move(out));
        });
}

void Engine::checkDeeper(const std::string &setId, std::function<void(double)> progress, std::function<void(bool)> done)
{
    std::vector<Member> members;
    const std::shared_ptr<const Snapshot> now = snapshot();
    if (const CheckpointSet *set = now->view.checkpoints.find(setId))
        for (const MemberVerdict &verdict : set->members)
            if (std::optional<Member> member = m_impl->memberOf(setId, verdict.rank))
                members.push_back(std::move(*member));
    if (members.empty() || !m_impl->m_checkpoints) return m_impl->post([done = std::move(done)] { done(true); });
    m_impl->m_checkpoints->deep().start(std::move(members), std::move(progress), std::move(done));
}

void Engine::cancelDeeper()
{
    if (m_impl->m_checkpoints) m_impl->m_checkpoints->deep().cancel();
}

Status Engine::startExit(ExitOptions options) { return m_impl->startExit(std::move(options)); }
Status Engine::cancelExit() { return m_impl->cancelExit(); }
Status Engine::escalate(ConfirmedRung rung) { return m_impl->escalate(std::move(rung)); }
Status Engine::startResume(ResumeOptions options) { return m_impl->startResume(std::move(options)); }

Result<ResumeReport> Engine::planResume(ResumeOptions options) { return rankdeck::planResume(*m_impl, options); }
Result<ExitReport> Engine::planExit(ExitOptions options) { return rankdeck::planExit(*m_impl, options); }

void Engine::requestPlanResume(ResumeOptions options, std::function<void(Result<ResumeReport>)> done)
{
    m_impl->m_planner->run(
        [this, options = std::move(options), done = std::move(done)] { done(rankdeck::planResume(*m_impl, options)); });
}

void Engine::keep(KeepOptions options, std::function<void(KeepReport)> done)
{
    m_impl->m_keeper->run(
        [this, options = std::move(options), done = std::move(done)] { done(runKeep(*m_impl, options)); });
}

Result<std::vector<KeptSet>> Engine::kept() { return listKept(*m_impl); }

std::vector<RankStack> Engine::readStacks() { return rankdeck::readStacks(*m_impl); }

bool Engine::waitAction(double seconds) { return m_impl->waitAction(seconds); }

}  // namespace rankdeck
