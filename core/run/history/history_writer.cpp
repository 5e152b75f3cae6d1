// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history/history_writer.h"

#include "core/run/history/sample_blob.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::int64_t mergedRow = 8192;
constexpr double keptAnchorEvery = 60;  // seconds

bool same(const AttemptInfo &a, const AttemptInfo &b)
{
    return a.started == b.started && a.resumedFrom == b.resumedFrom && a.stepOffset == b.stepOffset;
}

bool same(const LogPosition &a, const LogPosition &b)
{
    return a.attempt == b.attempt && a.resume == b.resume && a.firstOffset == b.firstOffset && a.pid == b.pid &&
           a.partial == b.partial;
}

std::string textOf(const std::vector<int> &ranks)
{
    std::string text;
    for (const int rank : ranks) {
        if (!text.empty()) text += ',';
        text += std::to_string(rank);
    }
    return text;
}

}  // namespace

std::string HistoryWriter::Key::table() const
{
    if (!metric) return "samples";
    const auto at = std::find_if(metricRows.begin(), metricRows.end(),
                                 [this](const MetricRow &row) { return row.metric == *metric; });
    return at->name;
}

Status HistoryWriter::makeLaterTables(Database &database)
{
    for (const MetricRow &row : metricRows) {
        const Status made =
            database.execute(("CREATE TABLE IF NOT EXISTS " + std::string(row.name) +
                              "(attempt INTEGER, rank INTEGER, first INTEGER, data BLOB, PRIMARY KEY(attempt, rank, "
                              "first));")
                                 .c_str());
        if (!made) return made;
    }
    // Parts of the event texts, for translation: Message::encoded().
    const Status made = database.execute("CREATE TABLE IF NOT EXISTS messages(id INTEGER PRIMARY KEY, parts TEXT);");
    return made ? WatchedTables::make(database) : made;
}

Status HistoryWriter::flush(const Run &run, const std::vector<LogPosition> &positions)
{
    // The remembered state must be restored if the commit fails.
    const HistoryWriter before = *this;
    Status status = Done{};
    {
        Transaction transaction(m_database);
        status = transaction.begun();
        if (status) status = flushRule(run.stepRule());
        if (status) status = flushAttempts(run);
        const std::vector<int> ranks = run.ranks();
        for (const AttemptInfo &attempt : m_attempts)
            for (const int rank : ranks) {
                if (status) status = flushCurves(run, rank, attempt.index);
                if (status && run.series(rank, attempt.index) != nullptr) status = flushRank(run, rank, attempt.index);
            }
        if (status) status = m_watched.flush(run);
        if (status) status = flushEvents(run);
        if (status) status = flushPositions(positions);
        if (status) status = transaction.commit();
    }
    if (!status) {
        m_kept = before.m_kept;
        m_watched.forget(before.m_watched);
        m_attempts = before.m_attempts;
        m_anchors = before.m_anchors;
        m_positions = before.m_positions;
        m_rule = before.m_rule;
        m_lastEvent = before.m_lastEvent;
        m_eventsRevision = before.m_eventsRevision;
    }
    return status;
}

Status HistoryWriter::flushRule(const StepRule &rule)
{
    if (m_rule == rule) return Done{};
    Statement put(
        m_database,
        "INSERT OR REPLACE INTO rule(id, given, said, finished, largest, from_zero) VALUES (0, ?, ?, ?, ?, ?)");
    m_rule = rule;
    return put.bind(rule.given)
        .bind(rule.said)
        .bind(rule.finished)
        .bind(rule.largest)
        .bind(rule.fromZero ? 1 : 0)
        .run();
}

Status HistoryWriter::flushAttempts(const Run &run)
{
    const std::vector<AttemptInfo> attempts = run.attempts();
    Statement put(m_database,
                  "INSERT OR REPLACE INTO attempts(attempt, started, resumed_from, step_offset) VALUES (?, ?, ?, ?)");
    Statement putAnchor(m_database, "INSERT OR REPLACE INTO anchors(attempt, position, time) VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        const AttemptInfo &info = attempts[i];
        if (i >= m_attempts.size() || !same(m_attempts[i], info)) {
            const Status status =
                put.bind(info.index).bind(nsFromWall(info.started)).bind(info.resumedFrom).bind(info.stepOffset).run();
            if (!status) return status;
        }
        WallTime &newest = m_anchors[info.index];
        for (const TimeAnchor &anchor : run.anchors(info.index)) {
            if (newest != WallTime{} && secondsBetween(newest, anchor.time) < keptAnchorEvery) continue;
            newest = anchor.time;
            const Status status = putAnchor.bind(info.index).bind(anchor.position).bind(nsFromWall(anchor.time)).run();
            if (!status) return status;
        }
    }
    m_attempts = attempts;
    return Done{};
}

Status HistoryWriter::flushCurves(const Run &run, int rank, int attempt)
{
    const Series *loss = run.series(rank, attempt);
    if (loss == nullptr) return Done{};
    Status status = flushSeries(*loss, run.seriesRevision(rank, attempt), {.attempt = attempt, .rank = rank});
    for (const MetricRow &row : metricRows) {
        const Series *series = run.metric(rank, attempt, row.metric);
        if (series == nullptr || !status) continue;
        status = flushSeries(*series, run.metricRevision(rank, attempt, row.metric),
                             {.attempt = attempt, .rank = rank, .metric = row.metric});
    }
    return status;
}

Status HistoryWriter::flushSeries(const Series &series, std::uint64_t revision, const Key &key)
{
    Kept &kept = m_kept[key];
    const std::int64_t begin = -static_cast<std::int64_t>(series.prepended());
    const std::int64_t end = begin + static_cast<std::int64_t>(series.size());
    if (kept.revision == revision && kept.begin == begin && kept.end == end) return Done{};
    if (kept.revision != revision) {
        Statement erase(m_database, "DELETE FROM " + key.table() + " WHERE attempt = ? AND rank = ?");
        const Status status = erase.bind(key.attempt).bind(key.rank).run();
        if (!status) return status;
        kept.base = 0;
        kept.begin = kept.end = kept.open = kept.merged = begin;
        kept.revision = revision;
    }
    while (kept.begin > begin) {
        const std::int64_t from = std::max(begin, kept.begin - mergedRow);
        const Status status = putRow(series, key, kept, from, kept.begin);
        if (!status) return status;
        kept.begin = from;
    }
    return appendRows(series, key, kept, end);
}

Status HistoryWriter::appendRows(const Series &series, const Key &key, Kept &kept, std::int64_t end)
{
    while (kept.end < end) {
        const bool large = kept.open == kept.merged && end - kept.open >= mergedRow;
        const std::int64_t full = kept.open + (large ? mergedRow : openRow);
        const std::int64_t to = std::min(end, full);
        Status status = putRow(series, key, kept, kept.open, to);
        if (!status) return status;
        kept.end = to;
        if (to < full) break;
        kept.open = full;
        if (kept.open - kept.merged < mergedRow) continue;
        const std::int64_t mergedEnd = kept.merged + mergedRow;
        if (!large) {
            status = eraseRows(key, kept.base + kept.merged, kept.base + mergedEnd);
            if (status) status = putRow(series, key, kept, kept.merged, mergedEnd);
            if (!status) return status;
        }
        kept.merged = mergedEnd;
    }
    return Done{};
}

Status HistoryWriter::putRow(const Series &series, const Key &key, const Kept &kept, std::int64_t begin,
                             std::int64_t end)
{
    const std::int64_t index = begin + static_cast<std::int64_t>(series.prepended());
    const std::vector<PlacedSample> samples =
        series.slice(static_cast<std::size_t>(index), static_cast<std::size_t>(end - begin));
    Statement put(m_database,
                  "INSERT OR REPLACE INTO " + key.table() + "(attempt, rank, first, data) VALUES (?, ?, ?, ?)");
    return put.bind(key.attempt).bind(key.rank).bind(kept.base + begin).bindBlob(packSamples(samples)).run();
}

Status HistoryWriter::eraseRows(const Key &key, std::int64_t begin, std::int64_t end)
{
    Statement erase(m_database,
                    "DELETE FROM " + key.table() + " WHERE attempt = ? AND rank = ? AND first >= ? AND first < ?");
    return erase.bind(key.attempt).bind(key.rank).bind(begin).bind(end).run();
}

Status HistoryWriter::flushRank(const Run &run, int rank, int attempt)
{
    Kept &kept = m_kept[{.attempt = attempt, .rank = rank}];
    const std::optional<RankProgress> progress = run.progressIn(rank, attempt);
    const std::size_t waiting = run.waitingCount(rank, attempt);
    if (!progress) return Done{};
    if (kept.told && kept.waiting == waiting && kept.heard == progress->heard && kept.position == progress->position)
        return Done{};
    kept.told = true;
    kept.waiting = waiting;
    kept.heard = progress->heard;
    kept.position = progress->position;
    Statement put(
        m_database,
        "INSERT OR REPLACE INTO ranks(attempt, rank, epoch, step, position, loss, has_loss, heard, step_seconds, "
        "learning_rate, waiting) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    return put.bind(attempt)
        .bind(rank)
        .bind(progress->epoch)
        .bind(progress->step)
        .bind(progress->position)
        .bindBlob(packExact(progress->loss))
        .bind(progress->hasLoss ? 1 : 0)
        .bind(nsFromWall(progress->heard))
        .bind(progress->stepSeconds)
        .bind(progress->learningRate)
        .bindBlob(packWaiting(run.waiting(rank, attempt)))
        .run();
}

Status HistoryWriter::flushEvents(const Run &run)
{
    const bool all = run.eventsRevision() != m_eventsRevision;
    Statement put(m_database, "INSERT OR REPLACE INTO events(id, time, rank, ranks, attempt, kind, text, position, "
                              "log_path, log_offset, node) "
                              "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    Statement putParts(m_database, "INSERT OR REPLACE INTO messages(id, parts) VALUES (?, ?)");
    for (const Event &event : run.events(all ? 0 : m_lastEvent)) {
        const Status status = put.bind(static_cast<std::int64_t>(event.id))
                                  .bind(nsFromWall(event.time))
                                  .bind(event.rank)
                                  .bindText(textOf(event.ranks))
                                  .bind(event.attempt)
                                  .bindText(eventKindName(event.kind))
                                  .bindText(event.text)
                                  .bind(event.position)
                                  .bindBlob(event.logPath)
                                  .bind(static_cast<std::int64_t>(event.logOffset))
                                  .bindText(event.node)
                                  .run();
        if (!status) return status;
        if (const std::string parts = event.text.encoded(); !parts.empty())
            if (const Status kept = putParts.bind(static_cast<std::int64_t>(event.id)).bindText(parts).run(); !kept)
                return kept;
        m_lastEvent = std::max(m_lastEvent, event.id);
    }
    m_eventsRevision = run.eventsRevision();
    return Done{};
}

Status HistoryWriter::flushPositions(const std::vector<LogPosition> &positions)
{
    Statement put(m_database, "INSERT OR REPLACE INTO positions(rank, path, attempt, device, inode, offset, tail_hash, "
                              "first_offset, pid, partial) "
                              "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const LogPosition &position : positions) {
        const auto [at, fresh] = m_positions.try_emplace({position.rank, position.path}, position);
        if (!fresh && same(at->second, position)) continue;
        at->second = position;
        const Status status = put.bind(position.rank)
                                  .bindBlob(position.path)
                                  .bind(position.attempt)
                                  .bind(static_cast<std::int64_t>(position.resume.device))
                                  .bind(static_cast<std::int64_t>(position.resume.inode))
                                  .bind(static_cast<std::int64_t>(position.resume.offset))
                                  .bindText(position.resume.tailHash)
                                  .bind(static_cast<std::int64_t>(position.firstOffset))
                                  .bind(position.pid)
                                  .bindBlob(position.partial)
                                  .run();
        if (!status) return status;
    }
    return Done{};
}

}  // namespace rankdeck
