// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/history/history_end.h"

#include "core/parse/lines/sample.h"
#include "core/run/history/database.h"

namespace rankdeck {

namespace {

Status readRanks(Database &database, HistoryEnd &end)
{
    Statement attempts(database, "SELECT attempt, step_offset FROM attempts ORDER BY attempt DESC LIMIT 1");
    if (!attempts.next()) return attempts.status();
    end.attempt = static_cast<int>(attempts.integer(0));
    Statement ranks(database,
                    "SELECT count(*), max(heard), max(position) FROM ranks WHERE attempt = ? AND has_loss = 1");
    ranks.bind(end.attempt);
    if (!ranks.next()) return ranks.status();
    end.ranks = static_cast<int>(ranks.integer(0));
    if (end.ranks > 0) end.heard = wallFromNs(ranks.integer(1));
    end.position = ranks.maybeInteger(2);
    return Done{};
}

Status readEnds(Database &database, HistoryEnd &end)
{
    Statement rows(database, "SELECT kind, rank, time FROM events WHERE attempt = ? AND rank >= 0 AND kind IN (?, ?) "
                             "ORDER BY time, id");
    rows.bind(end.attempt)
        .bindText(eventKindName(EventKind::rankDied))
        .bindText(eventKindName(EventKind::gracefulExit));
    while (rows.next()) {
        const int rank = static_cast<int>(rows.integer(1));
        if (rows.bytes(0) == eventKindName(EventKind::rankDied))
            end.deaths.push_back({.rank = rank, .time = wallFromNs(rows.integer(2))});
        else
            end.gracefulExits.push_back(rank);
    }
    return rows.status();
}

}  // namespace

Result<HistoryEnd> readHistoryEnd(const std::string &path)
{
    auto database = Database::open(path, true);
    if (!database) return database.error();
    HistoryEnd end;
    Statement job(**database, "SELECT value FROM meta WHERE key = 'job'");
    if (job.next()) end.job = job.bytes(0);
    if (!job.status()) return job.status().error();
    Status status = readRanks(**database, end);
    if (status) status = readEnds(**database, end);
    if (!status) return status.error();
    return end;
}

}  // namespace rankdeck
