// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/past_job.h"

#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QCoreApplication>

namespace rankdeck::ui {

namespace {

struct PastJob {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::PastJob)
};

QString logWords(const EndedJobScan &look, WallTime now)
{
    const LogScan &logs = look.logs;
    if (logs.asked == 0) return PastJob::tr("The job file names no log.");
    if (logs.readable == 0)
        return PastJob::tr("None of the %1 logs could be read: %2.")
            .arg(QString::number(logs.asked), fromCore(logs.problem));
    const QString read = nOf(static_cast<int>(logs.readable), static_cast<int>(logs.asked));
    const WallTime written{std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(logs.writtenNs))};
    const QString since = ago(secondsSince(written, now));
    if (const auto step = newestStep(logs, look.job))
        return PastJob::tr("Logs: %1, last written %2, at step %3.").arg(read, since, number(*step));
    return PastJob::tr("Logs: %1, last written %2.").arg(read, since);
}

QString checkpointWords(const CheckpointScan &checkpoints)
{
    if (const CheckpointSet *newest = checkpoints.report.newestValid())
        return PastJob::tr("Newest VALID set: %1.").arg(setWords(*newest));
    if (checkpoints.judged) return PastJob::tr("No set is VALID.");
    return checkpoints.problem.empty() ? QString()
                                       : PastJob::tr("Checkpoints are unknown: %1.").arg(fromCore(checkpoints.problem));
}

}  // namespace

QString onDiskWords(const EndedJobScan &look, WallTime now)
{
    if (!look.looked) return PastJob::tr("Reading its files.");
    const QString sets = look.job.checkpoints.path.empty() ? QString() : checkpointWords(look.checkpoints);
    return sets.isEmpty() ? logWords(look, now) : logWords(look, now) + QLatin1Char(' ') + sets;
}

}  // namespace rankdeck::ui
