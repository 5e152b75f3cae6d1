// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/run/history/history_writer.h"
#include "core/run/history/sample_blob.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace rankdeck {

namespace {

constexpr std::uint64_t unknownRevision = std::numeric_limits<std::uint64_t>::max();

EventKind kindNamed(const std::string &name)
{
    static constexpr std::array<EventKind, 18> kinds{
        EventKind::error,        EventKind::warning,     EventKind::nan,
        EventKind::gracefulExit, EventKind::resumed,     EventKind::uce,
        EventKind::hcce,         EventKind::ttp,         EventKind::epochTime,
        EventKind::started,      EventKind::rankDied,    EventKind::saved,
        EventKind::setJudged,    EventKind::nodeChanged, EventKind::attemptStarted,
        EventKind::alarm,        EventKind::action,      EventKind::repaired};
    const auto at =
        std::find_if(kinds.begin(), kinds.end(), [&](EventKind kind) { return name == eventKindName(kind); });
    return at == kinds.end() ? EventKind::warning : *at;
}

std::vector<int> ranksOf(const std::string &text)
{
    std::vector<int> ranks;
    if (text.empty()) return ranks;
    for (const std::string &part : split(text, ','))
        ranks.push_back(static_cast<int>(std::strtol(part.c_str(), nullptr, 10)));
    return ranks;
}

}  // namespace

Status HistoryWriter::load(Run &run, std::vector<LogPosition> &positions)
{
    Status status = loadAttempts(run);
    if (status) status = loadSamples(run, {});
    for (const MetricRow &row : metricRows)
        if (status) status = loadSamples(run, row.metric);
    if (status) status = loadRanks(run);
    if (status) status = m_watched.load(run);
    if (status) status = loadEvents(run);
    if (status) status = loadPositions(positions);
    if (!status) return status;
    const Result<StepRule> rule = loadRule();
    if (!rule) return rule.error();
    run.restored(*rule);
    m_attempts = run.attempts();
    m_rule = *rule;
    m_eventsRevision = run.eventsRevision();
    for (auto &[key, kept] : m_kept) {
        // If the samples were placed with another number of steps per epoch, or were sorted, the rows now have other
        // contents.
        const std::uint64_t now = key.metric ? run.metricRevision(key.rank, key.attempt, *key.metric)
                                             : run.seriesRevision(key.rank, key.attempt);
        const bool moved = kept.revision == unknownRevision || now != 0;
        kept.revision = moved ? unknownRevision : 0;
    }
    return Done{};
}

Result<StepRule> HistoryWriter::loadRule()
{
    StepRule rule;
    Statement rows(m_database, "SELECT given, said, finished, largest, from_zero FROM rule WHERE id = 0");
    if (rows.next()) rule = {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3), rows.integer(4) != 0};
    const Status status = rows.status();
    if (!status) return status.error();
    return rule;
}

Status HistoryWriter::loadAttempts(Run &run)
{
    Statement rows(m_database, "SELECT attempt, started, resumed_from, step_offset FROM attempts ORDER BY attempt");
    while (rows.next()) {
        AttemptInfo info;
        info.index = static_cast<int>(rows.integer(0));
        info.started = wallFromNs(rows.integer(1));
        info.resumedFrom = rows.maybeInteger(2);
        info.stepOffset = rows.integer(3);
        run.restoreAttempt(info);
    }
    if (!rows.status()) return rows.status();
    std::map<int, std::vector<TimeAnchor>> anchors;
    Statement times(m_database, "SELECT attempt, position, time FROM anchors ORDER BY attempt, position");
    while (times.next())
        anchors[static_cast<int>(times.integer(0))].push_back({times.integer(1), wallFromNs(times.integer(2))});
    for (const auto &[attempt, list] : anchors) {
        run.restoreAnchors(attempt, list);
        m_anchors[attempt] = list.back().time;
    }
    return times.status();
}

Status HistoryWriter::loadSamples(Run &run, std::optional<Metric> metric)
{
    const std::string table = Key{.metric = metric}.table();
    if (metric && !m_database.hasTable(table)) return Done{};  // written by an older console
    Statement rows(m_database, "SELECT attempt, rank, first, data FROM " + table + " ORDER BY attempt, rank, first");
    while (rows.next()) {
        const Key key{
            .attempt = static_cast<int>(rows.integer(0)), .rank = static_cast<int>(rows.integer(1)), .metric = metric};
        const std::int64_t first = rows.integer(2);
        const auto [at, fresh] = m_kept.try_emplace(key);
        Kept &kept = at->second;
        if (fresh) kept.base = first;
        const Result<std::vector<PlacedSample>> samples = unpackSamples(rows.bytes(3));
        if (!samples) {
            ++m_damagedRows;
            kept.revision = unknownRevision;
            continue;
        }
        if (metric)
            run.restoreMetric(key.rank, key.attempt, *metric, *samples);
        else
            run.restoreSamples(key.rank, key.attempt, *samples);
        const std::int64_t count = static_cast<std::int64_t>(samples->size());
        if (kept.end != first - kept.base) kept.revision = unknownRevision;
        kept.end = first - kept.base + count;
        kept.open = count < openRow ? first - kept.base : kept.end;
        kept.merged = kept.open;  // only rows that this console writes are merged with each other
    }
    return rows.status();
}

Status HistoryWriter::loadRanks(Run &run)
{
    Statement rows(
        m_database,
        "SELECT attempt, rank, epoch, step, position, loss, has_loss, heard, step_seconds, learning_rate, waiting "
        "FROM ranks ORDER BY attempt, rank");
    while (rows.next()) {
        RankProgress progress;
        progress.attempt = static_cast<int>(rows.integer(0));
        progress.rank = static_cast<int>(rows.integer(1));
        progress.epoch = rows.maybeInteger(2);
        progress.step = rows.maybeInteger(3);
        progress.position = rows.maybeInteger(4);
        const Result<double> loss = unpackExact(rows.bytes(5));
        const Result<std::vector<Sample>> waiting = unpackWaiting(rows.bytes(10));
        if (!loss || !waiting) {
            ++m_damagedRows;
            continue;
        }
        progress.loss = loss.value();
        progress.hasLoss = rows.integer(6) != 0;
        progress.stepped = progress.step.has_value();
        progress.heard = wallFromNs(rows.integer(7));
        progress.stepSeconds = rows.maybeReal(8);
        progress.learningRate = rows.maybeReal(9);
        run.restoreWaiting(progress.rank, progress.attempt, *waiting);
        run.restoreProgress(progress);
    }
    return rows.status();
}

Status HistoryWriter::loadEvents(Run &run)
{
    const std::string parts =
        m_database.hasTable("messages") ? "(SELECT parts FROM messages m WHERE m.id = e.id)" : "''";
    Statement rows(
        m_database,
        ("SELECT * FROM (SELECT id, time, rank, ranks, attempt, kind, text, position, log_path, log_offset, node, " +
         parts + " FROM events e ORDER BY id DESC LIMIT 200000) ORDER BY id")
            .c_str());
    while (rows.next()) {
        Event event;
        event.id = static_cast<std::uint64_t>(rows.integer(0));
        event.time = wallFromNs(rows.integer(1));
        event.rank = static_cast<int>(rows.integer(2));
        event.ranks = ranksOf(rows.bytes(3));
        event.attempt = static_cast<int>(rows.integer(4));
        event.kind = kindNamed(rows.bytes(5));
        event.text = Message::decoded(rows.bytes(6), rows.bytes(11));
        event.position = rows.maybeInteger(7);
        event.logPath = rows.bytes(8);
        event.logOffset = static_cast<std::uint64_t>(rows.integer(9));
        event.node = rows.bytes(10);
        m_lastEvent = std::max(m_lastEvent, event.id);
        run.restoreEvent(std::move(event));
    }
    return rows.status();
}

Status HistoryWriter::loadPositions(std::vector<LogPosition> &positions)
{
    Statement rows(
        m_database,
        "SELECT rank, path, attempt, device, inode, offset, tail_hash, first_offset, pid, partial FROM positions");
    while (rows.next()) {
        LogPosition position;
        position.rank = static_cast<int>(rows.integer(0));
        position.path = rows.bytes(1);
        position.attempt = static_cast<int>(rows.integer(2));
        position.resume.device = static_cast<std::uint64_t>(rows.integer(3));
        position.resume.inode = static_cast<std::uint64_t>(rows.integer(4));
        position.resume.offset = static_cast<std::uint64_t>(rows.integer(5));
        position.resume.tailHash = rows.bytes(6);
        position.firstOffset = static_cast<std::uint64_t>(rows.integer(7));
        position.pid = static_cast<int>(rows.integer(8));
        position.partial = rows.bytes(9);
        m_positions.try_emplace({position.rank, position.path}, position);
        positions.push_back(std::move(position));
    }
    return rows.status();
}

}  // namespace rankdeck
