// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/logs/log_ingest.h"

#include "core/base/clock.h"
#include "core/engine/logs/log_attempt.h"
#include "core/job/path_template.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace rankdeck {
namespace {

constexpr int firstLauncherId = 10'000'000;
constexpr std::chrono::seconds restsAfter{5};   // a log whose last line is older
constexpr std::chrono::seconds heldAtMost{10};  // lines wait this long for their process: several process scans

}  // namespace

struct LogIngest::Log {
    int id = 0;
    int rank = -1;                // -1: the log belongs to a whole node: a launcher's output, MindIO's log
    std::vector<int> ranks = {};  // ranks that write this log, if there are several; `rank` is the first
    LogRole role = LogRole::worker;
    std::string node;
    std::string path;
    LineFollower follower;
    std::unique_ptr<LogParser> parser;
    LogAttempt attempt;
    ResumePoint resume = {};
    bool restored = false;
    bool answered = false;
    bool backfilling = false;
    bool backfillFailed = false;  // no answer: requested again as soon as the log grows
    std::uint64_t size = 0;
    std::uint64_t countedSize = 0, countedRead = 0;  // included in the totals
    std::uint64_t before = 0;                        // size when it was opened
    WallTime beforeWritten = {};                     // time of the last write before that
    std::string problem = {};
    SteadyTime lastLine = {};
    bool open = false;  // lines came since the last finish()
    // Set if the file was emptied while a process was writing it: that process, and the bytes written since, until the
    // writer is known.
    std::optional<ProcessId> writer = {};
    WallTime emptied = {};
    Parsed held = {};
};

LogIngest::LogIngest(const Job &job, Run &run, std::shared_mutex &runMutex, Sinks sinks)
    : m_job(job), m_run(run), m_runMutex(runMutex), m_sinks(std::move(sinks))
{}

LogIngest::~LogIngest() = default;

Status LogIngest::prepare()
{
    if (Result<std::unique_ptr<LogParser>> probe = LogParser::make(m_job.logs, LogRole::worker); !probe)
        return probe.error();
    std::map<std::pair<std::string, std::string>, Log *> taken;  // by node and path
    for (const NodeSpec &node : m_job.nodes) {
        for (int rank : node.ranks) {
            if (m_job.logs.path.empty()) continue;
            const Result<std::string> path = expand(m_job.logs.path, rankPlaceholders(m_job, rank));
            if (!path) return path.error();
            // Lines of a log that several ranks write belong to the first rank, unless a prefix names another one.
            Log *&known = taken[{m_job.pathsShared ? std::string() : node.name, *path}];
            if (known != nullptr) {
                if (known->ranks.empty()) {
                    known->ranks.push_back(known->rank);
                    makeParser(*known);
                }
                known->ranks.push_back(rank);
                continue;
            }
            auto log = std::make_unique<Log>();
            log->id = rank;
            log->rank = rank;
            log->node = node.name;
            log->path = *path;
            makeParser(*log);
            known = log.get();
            addLog(std::move(log));
        }
        if (!m_job.logs.ttp.empty()) addLog(node.name, textOnNode(m_job.logs.ttp, m_job, node), LogRole::worker);
        if (!m_job.logs.launcher.empty()) addLauncher(node.name, textOnNode(m_job.logs.launcher, m_job, node));
    }
    return Done{};
}

void LogIngest::makeParser(Log &log)
{
    Result<std::unique_ptr<LogParser>> parser = LogParser::make(m_job.logs, log.role, !log.ranks.empty());
    if (!parser) return;
    log.parser = std::move(*parser);  // cannot fail: prepare() has checked the patterns
    tellExpected(*log.parser, log.rank);
}

void LogIngest::tellExpected(LogParser &parser, int rank) const
{
    const auto paths = m_expected.find(rank);
    parser.expectPaths(paths == m_expected.end() ? std::vector<std::string>() : paths->second);
}

void LogIngest::expectLoads(std::map<int, std::vector<std::string>> paths)
{
    m_expected = std::move(paths);
    m_launchedOver.reset();
    if (!m_expected.empty()) {
        const std::shared_lock lock(m_runMutex);
        m_launchedOver = m_run.currentAttempt();
    }
    for (auto &[id, log] : m_logs)
        if (log->parser) tellExpected(*log->parser, log->rank);
}

bool LogIngest::addLauncher(const std::string &node, const std::string &path)
{
    return addLog(node, path, LogRole::launcher);
}

bool LogIngest::addLog(const std::string &node, const std::string &path, LogRole role)
{
    const std::vector<Log *> &others = m_ofNode[node];
    if (std::any_of(others.begin(), others.end(), [&](const Log *log) { return log->path == path; })) return false;
    auto log = std::make_unique<Log>();
    log->id = firstLauncherId + static_cast<int>(m_logs.size());
    log->node = node;
    log->path = path;
    log->role = role;
    makeParser(*log);
    addLog(std::move(log));
    return true;
}

void LogIngest::addLog(std::unique_ptr<Log> log)
{
    ++m_unanswered[log->node];
    m_ofNode[log->node].push_back(log.get());
    m_logs.emplace(log->id, std::move(log));
}

void LogIngest::heardOf(Log &log)
{
    m_happened.insert(log.id);
    log.backfillFailed = false;
    if (std::exchange(log.answered, true)) return;
    if (const auto node = m_unanswered.find(log.node); --node->second == 0) m_unanswered.erase(node);
}

void LogIngest::countBytes(Log &log)
{
    if (log.rank < 0) return;
    const std::uint64_t read = log.size - std::min(log.size, log.follower.firstOffset());
    m_workerBytes += log.size - log.countedSize;
    m_workerBytesRead += read - log.countedRead;
    log.countedSize = log.size;
    log.countedRead = read;
}

void LogIngest::restore(const std::vector<LogPosition> &positions)
{
    for (const LogPosition &position : positions)
        for (auto &[id, log] : m_logs) {
            if (log->rank != position.rank || log->path != position.path) continue;
            log->resume = position.resume;
            log->follower.restore(position.resume.offset, position.firstOffset, position.partial);
            log->restored = true;
            const RankProgress progress = m_run.progress(log->rank);
            std::optional<Sample> last;
            if (log->rank >= 0 && progress.attempt == position.attempt && progress.seen()) {
                last = Sample{};
                last->epoch = progress.epoch;
                last->step = progress.step;
            }
            log->attempt.restore(position.attempt, position.pid, last);
        }
    restoreExitLines();
}

std::vector<TailSpec> LogIngest::tails(const std::set<std::string> &nodes, const std::vector<int> &onScreen,
                                       bool watched) const
{
    std::vector<TailSpec> specs;
    for (const std::string &node : nodes) {
        const auto logs = m_ofNode.find(node);
        if (logs == m_ofNode.end()) continue;
        for (const Log *log : logs->second) {
            TailSpec spec{.id = log->id, .path = log->path};
            // A launcher writes few lines, and all of them are needed. A worker's log is read from its newest minutes.
            if (log->rank < 0) spec.lastBytes = 4u << 20;
            if (log->restored || log->resume.inode != 0) spec.from = log->resume;
            const bool shown = std::find(onScreen.begin(), onScreen.end(), log->rank) != onScreen.end();
            spec.pace = !watched ? TailPace::unwatched : shown ? TailPace::onScreen : TailPace::usual;
            specs.push_back(std::move(spec));
        }
    }
    return specs;
}

LogIngest::Log *LogIngest::find(int id)
{
    const auto at = m_logs.find(id);
    return at == m_logs.end() ? nullptr : at->second.get();
}

void LogIngest::chunk(const TailChunk &chunk)
{
    Log *log = find(chunk.id);
    if (!log || !log->parser) return;
    Parsed parsed;
    log->follower.chunk(chunk,
                        [&](std::string_view text, std::uint64_t offset) { log->parser->line(text, offset, parsed); });
    heardOf(*log);
    log->problem.clear();
    log->resume = chunk.next;
    log->size = std::max(chunk.fileSize, chunk.offset + chunk.bytes.size());
    countBytes(*log);
    log->lastLine = steadyNow();
    // A log whose last write is old does not grow: the first read shows its last line.
    const bool rests =
        log->before > 0 && log->resume.offset == log->before && wallNow() - lastWritten(*log) > restsAfter;
    if (rests) log->parser->finish(parsed);
    log->open = !rests;
    deliver(*log, parsed, false);
}

void LogIngest::event(const TailEvent &event, double clockSkewSeconds)
{
    Log *log = find(event.id);
    if (!log) return;
    heardOf(*log);
    const int before = log->follower.generation();
    log->follower.event(event);
    switch (event.change) {
    case TailChange::opened:
        log->problem.clear();
        log->size = event.stat.size;
        log->before = event.stat.size;
        log->beforeWritten = secondsAfter(wallFromNs(event.stat.mtimeNs), -clockSkewSeconds);
        break;
    case TailChange::missing:
    case TailChange::unreadable: log->problem = event.text.empty() ? "No such file or directory" : event.text; break;
    case TailChange::truncated:
    case TailChange::replaced: log->before = 0; break;
    case TailChange::gap: break;
    }
    countBytes(*log);
    if (log->follower.generation() != before) beginAnew(*log, event.change == TailChange::truncated);
}

void LogIngest::beginAnew(Log &log, bool emptied)
{
    Parsed rest;
    if (log.parser) log.parser->finish(rest);
    deliver(log, rest, false);
    if (m_held.count(log.id) != 0) {  // emptied a second time before any process was listed
        log.writer.reset();
        processesListed();
    }
    makeParser(log);
    log.attempt.beginAnew(emptied);
    log.restored = false;
    const auto process = emptied && log.rank >= 0 ? m_sinks.process(log.rank) : std::nullopt;
    log.writer = process ? std::optional(process->process) : std::nullopt;
    log.emptied = wallNow();
}

// Only a process list that was made after the file was emptied decides this.
Known LogIngest::isOfSameProcess(const Log &log) const
{
    const auto process = log.writer ? m_sinks.process(log.rank) : std::nullopt;
    if (!process || process->process != *log.writer) return false;
    if (process->seen > log.emptied) return true;
    const bool waits = wallNow() - log.emptied < heldAtMost;
    return waits ? Known() : Known(false);
}

// Lines after a launch by Rankdeck belong to its attempt, even if the steps continue without a gap. All ranks of a
// relaunch share one new attempt; the first of them makes it. A log without lines in the attempts in between goes to
// the newest attempt.
bool LogIngest::settleAttempt(Log &log, const Parsed &parsed)
{
    const std::unique_lock lock(m_runMutex);
    const int was = log.attempt.index(), newest = m_run.currentAttempt();
    const bool mayGoOn = was >= 0 && newest <= was && m_launchedOver != was;
    Known goesOn = mayGoOn ? log.attempt.continues(parsed, log.parser->pid()) : Known(false);
    if (goesOn.isUnknown()) goesOn = isOfSameProcess(log);
    if (goesOn.isUnknown()) return false;
    if (goesOn.isYes() || newest > was) {
        log.attempt.settle(goesOn.isYes() ? was : newest);
        return true;
    }
    const int begun = m_run.beginAttempt(wallNow());
    m_sinks.attemptBegan(begun);
    log.attempt.settle(begun);
    return true;
}

namespace {

// TimeMonitor prints an epoch's step time in a separate line, after the loss of the epoch's last step. Both belong to
// one point of the curve.
void giveEpochTimes(Parsed &parsed)
{
    for (const LogEvent &event : parsed.events) {
        if (event.kind != EventKind::epochTime || !event.stepMs) continue;
        const auto last = std::find_if(parsed.samples.rbegin(), parsed.samples.rend(),
                                       [&event](const Sample &sample) { return sample.offset < event.offset; });
        if (last != parsed.samples.rend() && !last->stepMs) last->stepMs = event.stepMs;
    }
}

// Moves the earlier results to the front of the later ones; `earlier` is empty afterwards.
void prepend(Parsed &earlier, Parsed &later)
{
    Parsed both = std::exchange(earlier, {});
    both.samples.insert(both.samples.end(), later.samples.begin(), later.samples.end());
    std::move(later.events.begin(), later.events.end(), std::back_inserter(both.events));
    later = std::move(both);
}

}  // namespace

void LogIngest::processesListed()
{
    for (const int id : std::exchange(m_held, {}))
        if (Log *log = find(id)) {
            Parsed held = std::exchange(log->held, {});
            deliver(*log, held, false);
        }
}

void LogIngest::deliver(Log &log, Parsed &parsed, bool older)
{
    if (parsed.samples.empty() && parsed.events.empty()) return;
    giveEpochTimes(parsed);
    if (log.rank < 0) {
        for (const LogEvent &event : parsed.events) toEvent(log, event, older);
        return;
    }
    if (!older && !log.attempt.isSettled()) {
        prepend(log.held, parsed);
        if (!settleAttempt(log, parsed)) {
            log.held = std::move(parsed);
            m_held.insert(log.id);
            return;
        }
        m_held.erase(log.id);
        m_happened.insert(log.id);
    }
    if (log.ranks.empty())
        addSamples(log, log.rank, parsed.samples, older);
    else
        for (auto &[rank, samples] : byOwner(log, parsed.samples)) addSamples(log, rank, samples, older);
    for (const LogEvent &event : parsed.events) toEvent(log, event, older);
    if (!older) log.attempt.take(parsed, log.parser->pid());
}

namespace {

int lossesAfter(const Series *series, std::int64_t position)
{
    int count = 0;
    if (series == nullptr) return count;
    const std::size_t newest = std::min<std::size_t>(series->size(), 2);  // more samples would show nothing more
    for (const PlacedSample &sample : series->slice(series->size() - newest, newest))
        count += sample.step + series->shift() > position ? 1 : 0;
    return count;
}

}  // namespace

// Restores the exit lines that the history has for the current attempts.
void LogIngest::restoreExitLines()
{
    const std::vector<Event> events = m_run.events();
    std::map<int, const Event *> newest;  // by rank; nullptr: the rank has loaded a checkpoint since
    for (const Event &event : events) {
        if (event.kind != EventKind::gracefulExit && event.kind != EventKind::resumed) continue;
        const Log *log = event.rank < 0 ? nullptr : find(event.rank);
        if (!log || !log->restored || event.attempt != log->attempt.index() || event.logPath != log->path) continue;
        newest[event.rank] = event.kind == EventKind::gracefulExit ? &event : nullptr;
    }
    for (const auto &[rank, farewell] : newest) {
        if (farewell == nullptr) continue;
        LogAttempt &attempt = find(rank)->attempt;
        const Series *series = m_run.series(rank, attempt.index());
        attempt.restoreExitLine(farewell->logOffset, lossesAfter(series, farewell->position.value_or(0)));
    }
}

// Adds the length of an epoch as soon as it has ended, before the first evaluation.
void LogIngest::tellEpoch(const Log &log, const LogEvent &event)
{
    if (log.rank < 0) return;
    Event told;
    told.kind = event.kind;
    told.rank = log.rank;
    told.attempt = std::max(0, log.attempt.index());
    told.stepMs = event.stepMs;
    told.stepsPerEpoch = event.stepsPerEpoch;
    const std::unique_lock lock(m_runMutex);
    m_run.add(std::move(told));
}

// The rank to which a line belongs: the rank that its prefix names, if that rank writes this log.
int LogIngest::ownerIn(const Log &log, const LineOwner &owner) const
{
    const NodeSpec *node = m_job.nodeOf(log.rank);
    std::optional<int> rank = owner.rank;
    if (!rank && owner.localRank && node && static_cast<std::size_t>(*owner.localRank) < node->ranks.size())
        rank = node->ranks[static_cast<std::size_t>(*owner.localRank)];
    const bool writes = rank && std::find(log.ranks.begin(), log.ranks.end(), *rank) != log.ranks.end();
    return writes ? *rank : log.rank;
}

std::map<int, std::vector<Sample>> LogIngest::byOwner(const Log &log, const std::vector<Sample> &samples) const
{
    std::map<int, std::vector<Sample>> all;
    for (const Sample &sample : samples) all[ownerIn(log, sample.owner)].push_back(sample);
    return all;
}

void LogIngest::addSamples(const Log &log, int rank, const std::vector<Sample> &samples, bool older)
{
    if (samples.empty() || rank < 0) return;
    if (rank != log.rank) m_sharedBy[rank] = &log;
    const WallTime heard = lastWritten(log);
    {
        const std::unique_lock lock(m_runMutex);
        m_run.add(rank, std::max(log.attempt.index(), 0), samples, heard, older);
    }
    m_sinks.samples(rank, log.attempt.index(), samples, heard);
}

void LogIngest::toEvent(Log &log, const LogEvent &event, bool older)
{
    Event out;
    out.rank = log.ranks.empty() ? log.rank : ownerIn(log, event.owner);
    if (log.rank < 0 && event.pid) {
        out.rank = m_sinks.rankOfPid(log.node, *event.pid).value_or(-1);
        // The header lines of a rank's own log also contain its pid, so other logs of the node may name the process.
        for (const Log *other : m_ofNode[log.node])
            if (out.rank < 0 && other->rank >= 0 && other->attempt.pid() == *event.pid) out.rank = other->rank;
    }
    m_sinks.logEvent(out.rank, event, lastWritten(log));
    if (event.kind == EventKind::epochTime) return tellEpoch(log, event);
    if (event.kind == EventKind::waits) return;
    out.time = lastWritten(log);
    {
        const std::shared_lock lock(m_runMutex);
        out.attempt = log.rank < 0 ? std::max(0, m_run.currentAttempt()) : std::max(0, log.attempt.index());
        if (log.rank >= 0 && !older) out.position = m_run.progress(out.rank).position;
        if (older)
            for (const AttemptInfo &attempt : m_run.attempts())
                if (attempt.index == out.attempt) out.time = attempt.started;
    }
    out.kind = event.kind;
    out.text = event.text;
    out.logPath = log.path;
    out.logOffset = event.offset;
    out.node = log.node;
    m_sinks.event(std::move(out));
}

// Time of lines that existed before this console started: when the file was written, not now.
WallTime LogIngest::lastWritten(const Log &log)
{
    const WallTime now = wallNow();
    return log.resume.offset <= log.before && log.beforeWritten != WallTime{} ? std::min(now, log.beforeWritten) : now;
}

void LogIngest::tick()
{
    processesListed();
    const SteadyTime now = steadyNow();
    for (auto &[id, log] : m_logs) {
        if (now - log->lastLine >= std::chrono::seconds(1)) closeBlock(*log);
    }
}

void LogIngest::ended(int rank)
{
    for (auto &[id, log] : m_logs)
        if (log->rank == rank) closeBlock(*log);
}

void LogIngest::closeBlock(Log &log)
{
    if (!log.open || !log.parser) return;
    log.open = false;
    Parsed parsed;
    log.parser->finish(parsed);
    deliver(log, parsed, false);
}

std::vector<LogIngest::Backfill> LogIngest::wantedBackfills()
{
    std::vector<Backfill> wanted;
    for (const int id : std::exchange(m_happened, {})) {
        Log *log = find(id);
        if (!log || log->backfilling || log->backfillFailed || !log->attempt.isSettled()) continue;
        std::optional<RangeRequest> range = log->follower.wantedBackfill(log->path);
        if (!range) continue;
        log->backfilling = true;
        wanted.push_back({id, log->node, *range});
    }
    return wanted;
}

int LogIngest::generation(int id) const
{
    const auto at = m_logs.find(id);
    return at == m_logs.end() ? -1 : at->second->follower.generation();
}

void LogIngest::backfilled(int id, int generation, const Result<RangeReply> &reply)
{
    Log *log = find(id);
    if (!log) return;
    log->backfilling = false;
    m_happened.insert(id);
    log->backfillFailed = !reply || !reply->error.empty();
    if (!reply || !reply->error.empty() || generation != log->follower.generation()) return;
    Result<std::unique_ptr<LogParser>> parser = LogParser::make(m_job.logs, LogRole::worker, !log->ranks.empty());
    if (!parser) return;
    tellExpected(**parser, log->rank);
    Parsed parsed;
    log->follower.backfilled(
        *reply, [&](std::string_view text, std::uint64_t offset) { (*parser)->line(text, offset, parsed); });
    (*parser)->finish(parsed);
    countBytes(*log);
    deliver(*log, parsed, true);
}

double LogIngest::backfillShare() const
{
    if (m_workerBytes == 0) return 1;
    return static_cast<double>(m_workerBytesRead) / static_cast<double>(m_workerBytes);
}

std::vector<LogPosition> LogIngest::positions() const
{
    std::vector<LogPosition> out;
    for (const auto &[id, log] : m_logs) {
        if (log->attempt.index() < 0 && log->rank >= 0) continue;
        if (m_held.count(id) != 0) continue;  // its last lines are not placed yet: the next console reads them again
        LogPosition position;
        position.rank = log->rank;
        position.attempt = std::max(0, log->attempt.index());
        position.path = log->path;
        position.resume = log->resume;
        position.firstOffset = log->follower.firstOffset();
        position.partial = log->follower.partial();
        position.pid = log->attempt.pid();
        out.push_back(std::move(position));
    }
    return out;
}

const LogIngest::Log *LogIngest::logOf(int rank) const
{
    if (const auto own = m_logs.find(rank); own != m_logs.end()) return own->second.get();
    const auto shared = m_sharedBy.find(rank);
    return shared == m_sharedBy.end() ? nullptr : shared->second;
}

std::string LogIngest::pathOf(int rank) const
{
    const Log *log = logOf(rank);
    return log == nullptr ? std::string() : log->path;
}

std::string LogIngest::problemOf(int rank) const
{
    const Log *log = logOf(rank);
    return log == nullptr ? std::string() : log->problem;
}

}  // namespace rankdeck
