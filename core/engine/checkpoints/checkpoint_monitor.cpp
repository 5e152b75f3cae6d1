// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/checkpoint_monitor.h"

#include "core/base/clock.h"
#include "core/base/work.h"
#include "core/checkpoint/inventory/inventory.h"
#include "core/verdict/read_plan.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

namespace rankdeck {
namespace {

constexpr auto writingPause = std::chrono::seconds(3);  // between two writes of one save
// If nothing new arrives: time after which the age of files alone may change a verdict.
constexpr auto whileUnfinished = std::chrono::seconds(2), whileFinished = std::chrono::seconds(10);
constexpr auto askAgainAfter = std::chrono::seconds(3);  // for files that could not be read
constexpr auto surelyEnded = std::chrono::seconds(3);    // margin after a rank was last seen to run

// Judging takes at most this fraction of a core, however fast listings arrive, as during a save of 1,024 ranks. It also
// limits the delay of a large job's verdict.
constexpr int partsOfJudging = 100;
constexpr auto longestRest = std::chrono::seconds(3);

bool sameExpectation(const Expectation &a, const Expectation &b)
{
    const auto sameSpan = [](const AttemptSpan &x, const AttemptSpan &y) {
        return x.index == y.index && x.started == y.started && x.stepOffset == y.stepOffset;
    };
    return a.worldSize == b.worldSize && a.stepsPerEpoch == b.stepsPerEpoch && a.running == b.running &&
           a.ranUntil == b.ranUntil && a.loggedReplicas == b.loggedReplicas &&
           std::equal(a.attempts.begin(), a.attempts.end(), b.attempts.begin(), b.attempts.end(), sameSpan);
}

// Whether the newest set whose content was read carries the tags of a graceful exit.
Known gracefulReady(const CheckpointMonitor::Found &found, const KnownEvidence &known)
{
    for (const CheckpointSet &set : found.report.sets)
        for (const MemberVerdict &judged : set.members) {
            if (judged.level < EvidenceLevel::L2 || judged.member < 0) continue;
            return known(found.inventory->members.at(std::size_t(judged.member)))->graceful;
        }
    return std::nullopt;
}

bool awaitsListing(const CheckpointSet &set)
{
    return std::any_of(set.reasons.begin(), set.reasons.end(),
                       [](const Reason &reason) { return reason.code == "not_listed"; });
}

// True if a directory was last listed before the run had certainly ended: its last save may be missing.
bool awaitsLastSave(const JudgeRound &round)
{
    return round.expected.ranUntil &&
           std::any_of(round.inventory->listed.begin(), round.inventory->listed.end(),
                       [&](const auto &one) { return one.second.asOf < *round.expected.ranUntil + surelyEnded; });
}

}  // namespace

CheckpointMonitor::CheckpointMonitor(const Job &job, Survey::Nodes nodes, Sink sink)
    : m_job(job), m_sink(std::move(sink)), m_nodes(std::move(nodes)), m_survey(m_nodes),
      m_deep(m_survey, [this] { judgeAgain(); })
{
    for (const NodeSpec &node : m_job.nodes) m_roots[node.name] = checkpointRoots(m_job, node).size();
    m_thread = std::thread([this] { work(); });
}

CheckpointMonitor::~CheckpointMonitor() { stop(); }

void CheckpointMonitor::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
    m_deep.stop();
}

void CheckpointMonitor::listing(const std::string &node, int id, Listing listing)
{
    const std::lock_guard lock(m_mutex);
    const std::int64_t asOf = listing.asOfNs;
    m_listings[{node, id}] = {std::make_shared<const Listing>(std::move(listing)), asOf};
    m_dirty = true;
    m_wake.notify_all();
}

void CheckpointMonitor::unchanged(const std::string &node, int id, std::int64_t asOfNs)
{
    const std::lock_guard lock(m_mutex);
    const auto at = m_listings.find({node, id});
    if (at == m_listings.end()) return;
    at->second.asOfNs = asOfNs;
    m_dirty = m_dirty || m_awaited;
    if (m_dirty) m_wake.notify_all();
}

void CheckpointMonitor::filesMove(bool moving)
{
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_filesMove, moving) == moving) return;
    m_dirty = true;
    m_wake.notify_all();
}

void CheckpointMonitor::judgeAgain()
{
    const std::lock_guard lock(m_mutex);
    m_dirty = true;
    m_wake.notify_all();
}

void CheckpointMonitor::expect(Expectation expected)
{
    const std::lock_guard lock(m_mutex);
    if (sameExpectation(m_expected, expected)) return;
    m_expected = std::move(expected);
    m_dirty = true;
    m_wake.notify_all();
}

void CheckpointMonitor::inspect(Member member, EvidenceLevel level, std::function<void(Result<Evidence>)> done)
{
    const std::lock_guard lock(m_mutex);
    m_errands.emplace_back([this, member = std::move(member), level, done = std::move(done)] {
        std::vector<Evidence> evidence = m_survey.read({member}, level);
        if (evidence.empty())
            done(fail(ErrorKind::internal, message("No data was read from %1", member.file.path)));
        else
            done(std::move(evidence.front()));
    });
    m_wake.notify_all();
}

std::uint64_t CheckpointMonitor::bytesRead() const { return m_survey.bytesRead(); }

void CheckpointMonitor::work()
{
    bool waiting = false;  // time alone can change a verdict, or a file has not been answered
    SteadyTime rested = {};
    for (;;) {
        std::vector<std::function<void()>> errands;
        {
            std::unique_lock lock(m_mutex);
            const auto urgent = [&] { return m_stopping || !m_errands.empty(); };
            const auto ready = [&] { return m_dirty || urgent(); };
            waitUntil(m_wake, lock, rested, urgent);
            if (waiting)
                waitFor(m_wake, lock, m_unfinished || !m_silent.empty() ? whileUnfinished : whileFinished, ready);
            else
                m_wake.wait(lock, ready);
            if (m_stopping) return;
            errands.swap(m_errands);
            if (!errands.empty()) lock.unlock();
        }
        for (const auto &errand : errands) errand();
        askAgain();
        const auto before = workOfThisThread();
        judgeOnce();
        rested = steadyNow() + restAfter(workOfThisThread() - before, partsOfJudging, longestRest);
        const std::lock_guard lock(m_mutex);
        waiting = (m_expected.running && !m_listings.empty()) || !m_silent.empty();
    }
}

bool CheckpointMonitor::stopping() const
{
    const std::lock_guard lock(m_mutex);
    return m_stopping;
}

// If a node's connection was cut during a read and no file has changed, it returns without a new listing. Therefore its
// files are requested again.
void CheckpointMonitor::askAgain()
{
    if (m_silent.empty() || steadyNow() < m_askAgainAt) return;
    m_survey.read(m_silent, EvidenceLevel::L3, [this] { return stopping(); });
    m_askAgainAt = steadyNow() + askAgainAfter;
}

// A file that has changed under its name within the last seconds is still being written.
void CheckpointMonitor::markGrowing(Inventory &inventory)
{
    const SteadyTime now = steadyNow();
    std::unordered_map<std::string, Seen> seen;
    seen.reserve(inventory.members.size());
    for (Member &member : inventory.members) {
        std::string key = member.node + '\0' + member.file.path;
        Seen current{.size = member.file.stat.size, .mtimeNs = member.file.stat.mtimeNs};
        if (const auto before = m_seen.find(key); before != m_seen.end()) {
            const bool same = before->second.size == current.size && before->second.mtimeNs == current.mtimeNs;
            current.changed = same ? before->second.changed : std::optional(now);
        }
        member.growing = current.changed && now - *current.changed < writingPause;
        seen.emplace(std::move(key), current);
    }
    m_seen = std::move(seen);
}

// By the console's clock, as far as the node's clock is known.
NodeListing CheckpointMonitor::aged(const std::string &node, const std::shared_ptr<const Listing> &listing,
                                    std::int64_t asOfNs) const
{
    NodeListing told(node, listing);
    const NodeClient *client = m_nodes(node);
    if (client) told.clockSkew = client->status().facts.clockSkewSeconds;
    if (asOfNs > 0) told.asOf = secondsAfter(wallFromNs(asOfNs), -told.clockSkew);
    return told;
}

std::optional<JudgeRound> CheckpointMonitor::look(std::set<std::string> &nodes)
{
    JudgeRound round;
    std::vector<NodeListing> byNode;
    {
        const std::lock_guard lock(m_mutex);
        m_dirty = false;  // also if there is nothing to read yet, otherwise the loop would never pause
        if (m_stopping || m_listings.empty()) return std::nullopt;
        round.expected = m_expected;
        std::map<std::string, std::size_t> listed;
        for (const auto &[key, watched] : m_listings) ++listed[key.first];
        // If a directory of a node has not been listed yet, it may contain files that no other node has.
        for (const auto &[key, watched] : m_listings)
            if (listed[key.first] >= m_roots[key.first])
                byNode.push_back(aged(key.first, watched.listing, watched.asOfNs));
        if (byNode.empty()) return std::nullopt;
        if (m_filesMove) round.expected.moving.assign(m_whole.all().begin(), m_whole.all().end());
    }
    round.expected.now = wallNow();
    for (const NodeListing &one : byNode) nodes.insert(one.node);
    Inventory inventory = buildInventory(m_job, byNode);
    round.expected.completeBefore = m_whole.before(inventory);
    markGrowing(inventory);
    round.inventory = std::make_shared<const Inventory>(std::move(inventory));
    return round;
}

void CheckpointMonitor::judgeOnce()
{
    std::set<std::string> nodes;
    const KnownEvidence known = [this](const Member &member) { return m_survey.known(member); };
    JudgeLoop loop;
    loop.look = [&] { return look(nodes); };
    loop.told = [&](const JudgeRound &round, CheckpointReport report) {
        m_whole.remember(report);
        m_unfinished = std::any_of(report.sets.begin(), report.sets.end(), [](const CheckpointSet &set) {
            return set.verdict == Verdict::inProgress || set.verdict == Verdict::unknown;
        });
        const bool first = m_silent.empty();
        m_silent = silentMembers(*round.inventory, report, known);
        if (first) m_askAgainAt = steadyNow() + askAgainAfter;
        const bool awaited =
            awaitsLastSave(round) || std::any_of(report.sets.begin(), report.sets.end(), awaitsListing);
        {
            const std::lock_guard lock(m_mutex);
            m_awaited = awaited;
        }
        Found found{round.inventory, std::move(report), nodes};
        found.gracefulReady = gracefulReady(found, known);
        m_sink(std::move(found));
    };
    loop.stopped = [this] { return stopping(); };
    judgeUntilKnown(m_survey, loop);
}

}  // namespace rankdeck
