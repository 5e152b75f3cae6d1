// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history/watched_tables.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace rankdeck {

namespace {

constexpr double worthWriting = 0.1;  // relative change: the value changes a little with every line

bool isNews(const SilencePattern &now, const SilencePattern &written)
{
    return now.first != written.first || now.stride != written.stride || now.pauses != written.pauses ||
           std::abs(now.usual - written.usual) > worthWriting * written.usual;
}

// "480:61.2,960:59.8": after which position, how many seconds
std::string textOf(const std::vector<SilencePattern::Pause> &pauses)
{
    std::string text;
    for (const SilencePattern::Pause &pause : pauses) {
        char part[64];
        std::snprintf(part, sizeof part, "%s%lld:%.3f", text.empty() ? "" : ",", static_cast<long long>(pause.after),
                      pause.seconds);
        text += part;
    }
    return text;
}

std::vector<SilencePattern::Pause> pausesOf(const std::string &text)
{
    std::vector<SilencePattern::Pause> pauses;
    if (text.empty()) return pauses;
    for (const std::string &part : split(text, ',')) {
        const std::size_t colon = part.find(':');
        if (colon == std::string::npos) continue;
        const SilencePattern::Pause pause{std::strtoll(part.c_str(), nullptr, 10),
                                          std::strtod(part.c_str() + colon + 1, nullptr)};
        if (std::isfinite(pause.seconds) && pause.seconds > 0) pauses.push_back(pause);
    }
    return pauses;
}

bool sameProcesses(const std::vector<RankSighting> &a, const std::vector<RankSighting> &b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto &left, const auto &right) {
               return left.rank == right.rank && left.attempt == right.attempt && left.node == right.node &&
                      left.process == right.process && left.program == right.program;
           });
}

}  // namespace

Status WatchedTables::make(Database &database)
{
    return database.execute(
        "CREATE TABLE IF NOT EXISTS silences(attempt INTEGER, rank INTEGER, usual REAL, first INTEGER, stride INTEGER, "
        "pauses TEXT, PRIMARY KEY(attempt, rank));"
        "CREATE TABLE IF NOT EXISTS sightings(rank INTEGER PRIMARY KEY, attempt INTEGER, node TEXT, pid INTEGER, "
        "start_ticks INTEGER, boot_id TEXT, program BLOB);"
        "CREATE TABLE IF NOT EXISTS seen(id INTEGER PRIMARY KEY, time INTEGER);");
}

Status WatchedTables::load(Run &run)
{
    if (!m_database.hasTable("silences")) return Done{};
    Statement rows(m_database, "SELECT attempt, rank, usual, first, stride, pauses FROM silences");
    while (rows.next()) {
        const SilencePattern pattern{.usual = rows.real(2),
                                     .first = rows.integer(3),
                                     .stride = std::max<std::int64_t>(1, rows.integer(4)),
                                     .pauses = pausesOf(rows.bytes(5))};
        if (!std::isfinite(pattern.usual) || pattern.usual <= 0) continue;
        const int attempt = static_cast<int>(rows.integer(0)), rank = static_cast<int>(rows.integer(1));
        run.restoreSilences(rank, attempt, pattern);
        m_silences[{attempt, rank}] = pattern;
    }
    return rows.status();
}

Status WatchedTables::flush(const Run &run)
{
    const int attempt = run.currentAttempt();
    if (attempt < 0) return Done{};
    Statement put(m_database, "INSERT OR REPLACE INTO silences(attempt, rank, usual, first, stride, pauses) "
                              "VALUES (?, ?, ?, ?, ?, ?)");
    for (const int rank : run.ranks()) {
        const std::optional<SilencePattern> pattern = run.silences(rank, attempt);
        if (!pattern) continue;
        const auto [written, fresh] = m_silences.try_emplace({attempt, rank}, *pattern);
        if (!fresh && !isNews(*pattern, written->second)) continue;
        written->second = *pattern;
        const Status status = put.bind(attempt)
                                  .bind(rank)
                                  .bind(pattern->usual)
                                  .bind(pattern->first)
                                  .bind(pattern->stride)
                                  .bindText(textOf(pattern->pauses))
                                  .run();
        if (!status) return status;
    }
    return Done{};
}

Result<std::vector<RankSighting>> WatchedTables::sightings() const
{
    std::vector<RankSighting> all;
    if (!m_database.hasTable("sightings") || !m_database.hasTable("seen")) return all;
    Statement when(m_database, "SELECT time FROM seen WHERE id = 0");
    const WallTime seen = when.next() ? wallFromNs(when.integer(0)) : WallTime{};
    if (!when.status()) return when.status().error();
    Statement rows(
        m_database,
        "SELECT rank, attempt, node, pid, start_ticks, boot_id, program FROM sightings WHERE pid > 0 ORDER BY rank");
    while (rows.next())
        all.push_back({.rank = static_cast<int>(rows.integer(0)),
                       .attempt = static_cast<int>(rows.integer(1)),
                       .node = rows.bytes(2),
                       .process = {.pid = static_cast<int>(rows.integer(3)),
                                   .startTicks = static_cast<std::uint64_t>(rows.integer(4)),
                                   .bootId = rows.bytes(5)},
                       .program = rows.bytes(6),
                       .seen = seen});
    if (!rows.status()) return rows.status().error();
    return all;
}

Status WatchedTables::flush(const std::vector<RankSighting> &sightings)
{
    const bool same = m_sightings && sameProcesses(*m_sightings, sightings);
    if (same && sightings.empty()) return Done{};
    WallTime oldest = WallTime::max();
    for (const RankSighting &one : sightings) oldest = std::min(oldest, one.seen);
    Transaction transaction(m_database);
    Status status = transaction.begun();
    if (status && !same) status = putSightings(sightings);
    Statement seen(m_database, "INSERT OR REPLACE INTO seen(id, time) VALUES (0, ?)");
    if (status && !sightings.empty()) status = seen.bind(nsFromWall(oldest)).run();
    if (status) status = transaction.commit();
    m_sightings = status ? std::optional(sightings) : std::nullopt;
    return status;
}

Status WatchedTables::putSightings(const std::vector<RankSighting> &sightings)
{
    Status status = m_database.execute("DELETE FROM sightings");
    Statement put(m_database,
                  "INSERT OR REPLACE INTO sightings(rank, attempt, node, pid, start_ticks, boot_id, program) "
                  "VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (const RankSighting &one : sightings) {
        if (!status) return status;
        status = put.bind(one.rank)
                     .bind(one.attempt)
                     .bindText(one.node)
                     .bind(one.process.pid)
                     .bind(static_cast<std::int64_t>(one.process.startTicks))
                     .bindText(one.process.bootId)
                     .bindBlob(one.program)
                     .run();
    }
    return status;
}

}  // namespace rankdeck
