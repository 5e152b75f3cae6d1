// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/ended_job.h"

#include "core/engine/discovery/has_ended.h"
#include "core/job/job_file.h"
#include "core/state/fates.h"
#include "ui/style/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck::ui {

namespace {

constexpr std::size_t mostRead = 50;

struct Ended {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::EndedJob)
};

QString howItEnded(const HistoryEnd &end)
{
    if (end.deaths.empty() && end.gracefulExits.empty()) return Ended::tr("reason unknown");
    if (end.deaths.empty())
        return Ended::tr("%1 ranks left gracefully")
            .arg(nOf(static_cast<int>(end.gracefulExits.size()), std::max(end.ranks, 1)));
    std::vector<DeathSpan> spans;
    for (const HistoryEnd::Death &death : end.deaths)
        spans.push_back({secondsAfter(death.time, -deathEventDelay), death.time});
    std::vector<int> all, first;
    for (const HistoryEnd::Death &death : end.deaths) all.push_back(death.rank);
    for (const std::size_t i : firstOf(spans)) first.push_back(all[i]);
    for (std::vector<int> *ranks : {&all, &first}) {
        std::sort(ranks->begin(), ranks->end());
        ranks->erase(std::unique(ranks->begin(), ranks->end()), ranks->end());
    }
    const QString died = nOf(static_cast<int>(all.size()), end.ranks);
    if (all.size() == 1) return Ended::tr("rank %1 died").arg(all.front());
    return first.size() > 1 ? Ended::tr("%1 ranks died").arg(died)
                            : Ended::tr("%1 ranks died, rank %2 first").arg(died).arg(first.front());
}

}  // namespace

std::vector<EndedJob> readEndedJobs(const std::string &stateDirectory)
{
    std::vector<EndedJob> jobs;
    for (const HistoryEntry &entry : listHistories(stateDirectory)) {
        if (jobs.size() >= mostRead) break;
        auto end = readHistoryEnd(entry.path);
        if (!end || end->attempt < 0) continue;
        auto read = parseJob(end->job);
        if (!read) continue;
        read->job.file = entry.jobFile;
        jobs.push_back({.entry = entry, .job = std::move(read->job), .end = std::move(end).value()});
    }
    return jobs;
}

std::vector<EndedJob> endedOn(const std::vector<EndedJob> &all, const DiscoveryPicture &picture)
{
    const Running running = runningIn(picture);
    std::vector<EndedJob> there;
    for (const EndedJob &job : all)
        if (hasEnded(job.job, running).isYes()) there.push_back(job);
    return there;
}

QString endedWords(const EndedJob &job, WallTime now)
{
    // If the console was closed before the end, only the time of the last log line is known.
    const WallTime when = !job.end.deaths.empty() ? job.end.deaths.front().time : job.end.heard;
    const QString since = knowsTime(when) ? ago(secondsSince(when, now)) : Ended::tr("at an unknown time");
    const bool seen = !job.end.deaths.empty() || !job.end.gracefulExits.empty();
    QString words =
        seen ? Ended::tr("ended %1").arg(since) : Ended::tr("not running any more; last line %1").arg(since);
    if (job.end.position) words += Ended::tr(", at step %1").arg(number(*job.end.position));
    return Ended::tr("%1: %2").arg(words, howItEnded(job.end));
}

}  // namespace rankdeck::ui
