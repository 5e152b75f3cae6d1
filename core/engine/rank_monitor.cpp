// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rank_monitor.h"

#include "core/base/clock.h"
#include "core/parse/lines/failure_cause.h"
#include "core/recover/host/programs.h"
#include "core/state/fates.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rankdeck {
namespace {

// How long to wait for the last lines of an ended process. Before a node reports that a process is gone, it reads its
// logs, and then four times a second for a while. A process that writes its own log has written everything by then.
// Lines of its launcher, and output through a pipe, arrive later.
constexpr std::chrono::milliseconds lastLines{400}, lastPipedLines{800};
// Time after the last line at which a rank counts as no longer logging. A rank that logs still runs, whatever the
// process list shows. If the usual interval of its lines is known, a few such intervals are enough.
constexpr std::chrono::seconds lastWord{30}, shortestQuiet{2};
constexpr double quietLines = 3;
// The same, if nothing of the job is left on its node: no launcher, and no process that writes the log.
constexpr std::chrono::seconds lastLineOfNoRank{10};

// Properties of a process whose change is news: whether it lives, which process it is, whether it is stopped. Changes
// between running and sleeping are not news.
std::tuple<Known, int, std::uint64_t, char> looksOf(Known alive, const std::optional<ProcessInfo> &process)
{
    if (!process) return {alive, 0, 0, '?'};
    const char state = process->state == 'R' ? 'S' : process->state;
    return {alive, process->id.pid, process->id.startTicks, state};
}

std::chrono::milliseconds lastLinesOf(const std::optional<ProcessInfo> &process)
{
    const bool writesItself = process && !(process->stdoutPath.empty() && process->stderrPath.empty());
    return writesItself ? lastLines : lastPipedLines;
}

// The process that was the rank, if it still runs. A deleted or renamed log does not change that.
const ProcessInfo *stillThere(const std::optional<ProcessInfo> &known, const ProcessList &list)
{
    const auto at = std::find_if(list.processes.begin(), list.processes.end(), [&](const ProcessInfo &process) {
        return known && process.id == known->id && isRunning(process);
    });
    return at == list.processes.end() ? nullptr : &*at;
}

// True if a process that is missing in this list is gone: the list is complete, and from the same machine and boot.
bool wouldList(const ProcessList &list, const ProcessId &process)
{
    return list.complete && !process.bootId.empty() && list.bootId == process.bootId;
}

// True for the script around a rank: when the rank has ended, the script may run on for a while, or for ever.
bool isWhatIsLeft(const ProcessInfo &found, const std::optional<ProcessInfo> &known)
{
    return known && known->id != found.id && isWrapperProgram(found.comm) && !isWrapperProgram(known->comm);
}

// True if this text explains the failure better. The first message is usually nearest to the failure, but a later one
// with a known cause is more useful than a general one. Consequences of other ranks' failures are not a cause.
bool tellsMore(const std::string &text, const std::optional<RankError> &known)
{
    if (!known) return true;
    const FailureCause cause = causeOf(text, std::nullopt);
    return causeOf(known->text, std::nullopt) == FailureCause::unknown && cause != FailureCause::unknown &&
           !isConsequence(cause);
}

}  // namespace

RankMonitor::RankMonitor(const Job &job)
{
    for (const NodeSpec &node : job.nodes)
        for (int rank : node.ranks) m_ranks[rank].node = node.name;
}

std::vector<int> RankMonitor::processes(const NodeSpec &node, const JobProcesses &sorted, const ProcessList &list)
{
    std::vector<int> changed;
    for (int number : node.ranks) {
        Rank &rank = m_ranks[number];
        const auto before = looksOf(rank.alive, rank.process);
        const auto sure = sorted.ranks.find(number);
        const ProcessInfo *found = sure != sorted.ranks.end() && !isWhatIsLeft(sure->second, rank.process)
                                       ? &sure->second
                                       : stillThere(rank.process, list);
        if (!found && rank.seenBefore && !wouldList(list, rank.process->id)) forgetSighting(rank);
        if (found) {
            const bool another = !rank.process || rank.process->id != found->id;
            if (another) {
                rank.exitCode.reset();
                rank.exitSeen.reset();
                rank.error.reset();
                rank.oomKill.reset();
            }
            if (another && rank.process) {  // the exit belongs to the previous process
                rank.graceful = false;
                rank.gracefulAt.reset();
            }
            rank.process = *found;
            rank.seenBefore = false;
            rank.alive = true;
            rank.listed = wallNow();
            rank.absent.reset();
            rank.missing = rank.deserted = false;
            rank.seenAlive = true;
            rank.gone.reset();
            rank.speaks.reset();
            rank.goneSince.reset();
            m_pids[{node.name, found->id.pid}] = number;
        } else if (rank.process) {
            if (rank.alive.mayBe()) left(rank);
            rank.alive = false;
            rank.seenAlive = true;  // by this console or the previous one
            rank.seenBefore = false;
        } else {
            rank.absent = list.complete ? std::optional(wallNow()) : std::nullopt;
            rank.missing = rank.missing || (rank.absent && !sorted.ranks.empty());
            rank.deserted = rank.absent && isDeserted(sorted, number);
            rank.alive = livesUnseen(rank);
        }
        const bool killed = takeOomKill(list.oomKills, rank), ended = takeExit(list.exits, rank);
        if (killed || ended || looksOf(rank.alive, rank.process) != before) changed.push_back(number);
    }
    return changed;
}

bool RankMonitor::takeOomKill(const std::vector<ProcessOomKill> &kills, Rank &rank)
{
    if (!rank.process || rank.oomKill || rank.alive.mayBe()) return false;
    const auto at = std::find_if(kills.begin(), kills.end(), [&](const ProcessOomKill &kill) {
        return kill.pid == rank.process->id.pid && kill.startTicks == rank.process->id.startTicks;
    });
    if (at == kills.end()) return false;
    rank.oomKill = OomKill{at->text, at->ofGroup};
    return true;
}

bool RankMonitor::takeExit(const std::vector<ProcessExit> &exits, Rank &rank)
{
    if (!rank.process || rank.exitSeen || rank.alive.mayBe()) return false;
    const auto at = std::find_if(exits.begin(), exits.end(), [&](const ProcessExit &exit) {
        return exit.pid == rank.process->id.pid && exit.startTicks == rank.process->id.startTicks;
    });
    if (at == exits.end()) return false;
    rank.exitSeen = at->code;
    return true;
}

// True if the rank is missing on its node: it would be listed, because its neighbours are recognised and no process is
// hidden. If it ran elsewhere, it would log. A rank without a step is excluded, because it may be about to be launched.
bool RankMonitor::isMissing(const Rank &rank) const
{
    const bool stepped = rank.sampled != SteadyTime{};
    return stepped && rank.missing && rank.absent && steadyNow() - rank.sampled > quietTime(lastWord);
}

SteadyTime::duration RankMonitor::quietTime(SteadyTime::duration longest) const
{
    if (!m_lineSeconds) return longest;
    const auto some = std::chrono::duration_cast<SteadyTime::duration>(
        std::chrono::duration<double>(std::min(quietLines * *m_lineSeconds, 3600.0)));
    return std::clamp<SteadyTime::duration>(some, shortestQuiet, longest);
}

std::vector<int> RankMonitor::undecided(bool early) const
{
    constexpr std::chrono::seconds soon{5};
    std::vector<int> ranks;
    for (const auto &[number, rank] : m_ranks)
        if (rank.alive.isUnknown() && (rank.missing || rank.deserted) && rank.absent && rank.sampled != SteadyTime{} &&
            (early || quietTime(lastWord) <= soon) && steadyNow() - rank.sampled <= quietTime(lastWord))
            ranks.push_back(number);
    return ranks;
}

// True if no process on the node belongs to the job: none that may be the rank, restart it or write its log.
bool RankMonitor::isDeserted(const JobProcesses &sorted, int number)
{
    const bool claimed = std::any_of(sorted.claims.begin(), sorted.claims.end(),
                                     [&](const auto &claim) { return claim.first == number; });
    return !sorted.problem && sorted.ranks.empty() && sorted.unsure.count(number) == 0 && !claimed &&
           sorted.others.empty() && sorted.leftovers.empty();
}

// True if another rank lost the connection to its peer and ended after this rank fell silent. Also, nothing of the job
// may be left on this rank's node. A rank that only waited until its time-out proves nothing, because its peer may
// hang.
bool RankMonitor::isMourned(const Rank &rank) const
{
    const auto quiet = steadyNow() - rank.sampled;
    if (rank.sampled == SteadyTime{} || !rank.absent || !rank.deserted || quiet <= quietTime(lastLineOfNoRank))
        return false;
    const WallTime last = wallNow() - std::chrono::duration_cast<WallTime::duration>(quiet);
    if (!m_gaveUp || *m_gaveUp < last) return false;
    return std::any_of(m_ranks.begin(), m_ranks.end(), [&](const auto &entry) {
        const Rank &other = entry.second;
        return &other != &rank && other.alive.isNo() && other.error && other.error->time >= last &&
               causeOf(other.error->text, std::nullopt) == FailureCause::peerLost;
    });
}

void RankMonitor::takeError(Rank &rank, RankError error)
{
    if (isConsequence(causeOf(error.text, std::nullopt)))
        m_gaveUp = std::max(m_gaveUp.value_or(error.time), error.time);
    rank.error = std::move(error);
}

// For a rank whose process this console has never seen. It is gone if its launcher collected it, or if its last line
// ends it and no process on the node may be it. It is also gone if it is missing among its neighbours, or if ranks that
// waited for it gave up. Silence alone proves nothing: its environment may be unreadable, or it may run elsewhere.
Known RankMonitor::livesUnseen(const Rank &rank) const
{
    if (rank.exitCode) return Known::no;
    if (!rank.absent) return Known::unknown;
    // A process list that is older than the exit line may show another process.
    const bool leftSo = rank.graceful && *rank.absent >= rank.gracefulAt.value_or(*rank.absent);
    const bool lastWordSaid = rank.error && *rank.absent >= rank.error->time &&
                              steadyNow() - rank.sampled > quietTime(rank.deserted ? lastLineOfNoRank : lastWord);
    return leftSo || rank.endTold || lastWordSaid || isMissing(rank) || isMourned(rank) ? Known::no : Known::unknown;
}

void RankMonitor::silent(const NodeSpec &node)
{
    for (int number : node.ranks) {
        Rank &rank = m_ranks[number];
        rank.absent.reset();
        rank.deserted = false;
        if (rank.alive.isYes()) rank.alive.reset();
    }
}

void RankMonitor::containerEnded(const NodeSpec &node)
{
    for (int number : node.ranks) {
        Rank &rank = m_ranks[number];
        if (rank.alive.isNo()) continue;
        if (rank.process) left(rank);
        rank.alive = false;
    }
}

void RankMonitor::left(Rank &rank)
{
    const SteadyTime now = steadyNow();
    rank.gone = now + lastLinesOf(rank.process);
    rank.speaks = now + std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(lastLinesDelay));
    rank.goneSince = wallNow();
    m_due = std::min(m_due.value_or(*rank.gone), *rank.gone);
}

void RankMonitor::logEvent(int number, const LogEvent &event, const std::string &path, WallTime written)
{
    const auto at = m_ranks.find(number);
    if (at == m_ranks.end()) return;
    if (event.kind == EventKind::gracefulExit) {
        at->second.graceful = true;
        at->second.gracefulAt = written;
        if (at->second.error && at->second.error->logOffset < event.offset) at->second.error.reset();
    } else if (event.kind == EventKind::resumed || event.nothingLoaded) {
        // A script may report its load in several lines; the first line that names a step or a path counts.
        std::optional<LogEvent> &known = at->second.resumed;
        if (!known || (known->byPath && !event.byPath) || (!known->globalStep && event.globalStep)) known = event;
    } else if (event.kind == EventKind::waits) {
        takeAwaited(at->second, event, written);
    } else if (event.kind == EventKind::rankDied) {
        at->second.exitCode = event.exitCode;
    } else if (event.kind == EventKind::error || event.kind == EventKind::uce || event.kind == EventKind::hcce) {
        const bool last = event.offset >= at->second.sampleOffset;
        if (last && tellsMore(event.text, at->second.error))
            takeError(at->second, RankError{written, event.text, path, event.offset});
    }
    if (at->second.absent) at->second.alive = livesUnseen(at->second);  // the process list came before the log
}

// One wait is a series of tries, and a line without an address ends it. Lines from before the start of this console are
// read at once, so the log's own clock shows how long the wait took. Older lines arrive later (back-fill), and change
// nothing.
void RankMonitor::takeAwaited(Rank &rank, const LogEvent &event, WallTime at)
{
    if (event.written && rank.tried && *event.written < *rank.tried) return;
    const std::optional<double> before = std::exchange(rank.tried, event.written);
    if (event.path.empty()) return rank.awaited.reset();
    if (!rank.awaited || rank.awaited->address != event.path) {
        rank.awaited = Awaited{.address = event.path, .since = at, .tried = at};
        return;
    }
    Awaited &awaited = *rank.awaited;
    const double passed = before && event.written ? *event.written - *before : secondsBetween(awaited.tried, at);
    const double waited = secondsBetween(awaited.since, awaited.tried) + passed;
    awaited.tried = at;
    awaited.since = passed >= 0 && passed < Awaited::pause ? secondsAfter(at, -waited) : at;
}

void RankMonitor::saidBefore(const Event &event, std::optional<std::int64_t> lastStep)
{
    const auto at = m_ranks.find(event.rank);
    if (at == m_ranks.end()) return;
    const bool movedOn = event.position && lastStep && *event.position != *lastStep;  // it was restarted since
    if (event.kind == EventKind::rankDied && !movedOn) {
        at->second.endTold = true;
        at->second.goneSince = event.time;
        if (!event.logPath.empty())
            takeError(at->second, RankError{event.time, event.text, event.logPath, event.logOffset});
        if (event.text.find("ut of memory: Kill") != std::string::npos)  // the kernel's wording
            at->second.oomKill =
                OomKill{event.text, causeOf(event.text, std::nullopt) == FailureCause::groupOutOfMemory};
    }
    const bool fails = event.kind == EventKind::error || event.kind == EventKind::uce || event.kind == EventKind::hcce;
    if (fails && !at->second.error && event.position == lastStep)  // it made no step since
        takeError(at->second, RankError{event.time, event.text, event.logPath, event.logOffset});
    if (event.kind != EventKind::gracefulExit) return;
    at->second.graceful = true;
    at->second.gracefulAt = event.time;
    at->second.error.reset();  // correct, because events come in order
}

void RankMonitor::seenBefore(const RankSighting &sighting)
{
    const auto at = m_ranks.find(sighting.rank);
    if (at == m_ranks.end() || at->second.process || at->second.node != sighting.node) return;
    Rank &rank = at->second;
    rank.process.emplace();
    rank.process->id = sighting.process;
    rank.process->comm = sighting.program;
    rank.listed = sighting.seen;
    rank.seenBefore = true;
    m_pids[{rank.node, sighting.process.pid}] = sighting.rank;
}

void RankMonitor::forgetSighting(Rank &rank)
{
    rank.process.reset();
    rank.listed.reset();
    rank.seenBefore = false;
}

std::vector<RankSighting> RankMonitor::sightings(int attempt, const std::set<int> &fateKnown) const
{
    std::vector<RankSighting> all;
    for (const auto &[number, rank] : m_ranks)
        if (rank.process && (rank.alive.mayBe() || fateKnown.count(number) == 0))
            all.push_back({.rank = number,
                           .attempt = attempt,
                           .node = rank.node,
                           .process = rank.process->id,
                           .program = rank.process->comm,
                           .seen = rank.listed.value_or(WallTime{})});
    return all;
}

std::optional<RankSighting> RankMonitor::sighting(int rank) const
{
    const auto at = m_ranks.find(rank);
    if (at == m_ranks.end() || !at->second.process || at->second.alive.isNo()) return {};
    return RankSighting{.rank = rank,
                        .node = at->second.node,
                        .process = at->second.process->id,
                        .program = at->second.process->comm,
                        .seen = at->second.listed.value_or(WallTime{})};
}

void RankMonitor::attemptBegan(int attempt)
{
    if (attempt > 0) m_relaunched = steadyNow();
    m_gaveUp.reset();
    for (auto &[number, rank] : m_ranks) {
        rank.graceful = false;
        rank.endTold = false;
        rank.gracefulAt.reset();
        rank.resumed.reset();
        rank.exitCode.reset();
        rank.exitSeen.reset();
        rank.error.reset();
        rank.awaited.reset();
        rank.tried.reset();
        rank.oomKill.reset();
        rank.sampleOffset = 0;
        rank.sampled = {};
        rank.missing = rank.deserted = false;
        rank.gone.reset();
        rank.speaks.reset();
        rank.goneSince.reset();
        rank.seenAlive = rank.alive.isYes();
        if (rank.alive.isYes()) continue;
        rank.process.reset();  // it belonged to the previous attempt; the new process is not seen yet
        rank.seenBefore = false;
        rank.alive.reset();
    }
}

bool RankMonitor::running() const
{
    const auto mayRun = [](const auto &entry) { return entry.second.alive.isUnknown() && entry.second.seenAlive; };
    return anyAlive() || std::any_of(m_ranks.begin(), m_ranks.end(), mayRun) ||
           (m_relaunched && steadyNow() - *m_relaunched < std::chrono::seconds(15));
}

void RankMonitor::samplesCame(int number, std::uint64_t lastOffset, WallTime heard)
{
    const auto at = m_ranks.find(number);
    if (at == m_ranks.end()) return;
    Rank &rank = at->second;
    const auto passed = std::max(WallTime::duration::zero(), wallNow() - heard);
    rank.sampled = steadyNow() - passed;
    rank.sampleOffset = std::max(rank.sampleOffset, lastOffset);
    rank.awaited.reset();
    if (rank.absent && heard > *rank.absent) rank.missing = false;
    if (rank.endTold && rank.goneSince &&
        heard >
            secondsAfter(*rank.goneSince, lastLinesDelay)) {  // it is still running, although a source reported its end
        rank.endTold = false;
        rank.goneSince.reset();
    }
    if (rank.error && rank.error->logOffset < rank.sampleOffset) rank.error.reset();  // it continued after the error
    if (rank.absent) rank.alive = livesUnseen(rank);
}

bool RankMonitor::tick()
{
    const SteadyTime now = steadyNow();
    bool certain = false;
    m_due.reset();
    for (auto &[number, rank] : m_ranks) {
        if (rank.alive.isUnknown() && rank.absent && livesUnseen(rank).isNo()) {
            rank.alive = Known::no;
            certain = true;
        }
        for (std::optional<SteadyTime> *end : {&rank.gone, &rank.speaks}) {
            if (!*end) continue;
            if (now >= **end) {
                end->reset();
                certain = true;
            } else {
                m_due = std::min(m_due.value_or(**end), **end);
            }
        }
    }
    return certain;
}

std::vector<int> RankMonitor::leaving() const
{
    std::vector<int> leaving;
    for (const auto &[number, rank] : m_ranks)
        if (rank.gone || rank.speaks) leaving.push_back(number);
    return leaving;
}

bool RankMonitor::launcherTold(int rank) const
{
    const auto at = m_ranks.find(rank);
    return at != m_ranks.end() && at->second.exitCode.has_value();
}

std::vector<int> RankMonitor::pidsOn(const NodeSpec &node) const
{
    std::vector<int> pids;
    for (const int number : node.ranks)
        if (const auto at = m_ranks.find(number); at != m_ranks.end() && at->second.process && at->second.alive.mayBe())
            pids.push_back(at->second.process->id.pid);
    return pids;
}

std::optional<int> RankMonitor::rankOfPid(const std::string &node, int pid) const
{
    const auto at = m_pids.find({node, pid});
    return at == m_pids.end() ? std::nullopt : std::optional(at->second);
}

void RankMonitor::fill(RankState &state) const
{
    const auto at = m_ranks.find(state.rank);
    if (at == m_ranks.end()) return;
    const Rank &rank = at->second;
    state.alive = rank.alive;
    if (rank.alive.mayBe() && !rank.seenBefore) state.process = rank.process;
    state.gracefulExitSeen = rank.graceful;
    state.gracefulExitTime = rank.gracefulAt;
    state.resumed = rank.resumed;
    state.exitCode = rank.exitCode ? rank.exitCode : rank.exitSeen;
    state.error = rank.error;
    state.awaited = rank.awaited;
    state.seenAlive = rank.seenAlive || rank.endTold || ((rank.missing || rank.deserted) && rank.alive.isNo());
    state.deserted = rank.deserted && rank.absent && rank.alive.mayBe();
    state.leaving = rank.gone.has_value();
    state.goneSince = rank.goneSince;
    if (rank.goneSince) state.listedLast = rank.listed;
    state.oomKill = rank.oomKill;
}

bool RankMonitor::anyAlive() const
{
    return std::any_of(m_ranks.begin(), m_ranks.end(), [](const auto &entry) { return entry.second.alive.isYes(); });
}

std::vector<int> RankMonitor::alive() const
{
    std::vector<int> all;
    for (const auto &[number, rank] : m_ranks)
        if (rank.alive.isYes()) all.push_back(number);
    return all;
}

}  // namespace rankdeck
