// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/seen_job.h"

#include "ui/state/run_state.h"
#include "ui/style/format.h"

#include <QCoreApplication>
#include <QDataStream>
#include <QIODevice>

namespace rankdeck::ui {

namespace {

struct SeenJobWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::SeenJobWords)
};

constexpr qint32 form = 1;

struct Seen {
    qint64 atMs = 0;
    qint32 ranks = 0, alive = 0, died = 0;
    qint64 step = -1;
    QString valid = {};
};

}  // namespace

QByteArray seenOf(const Snapshot &snapshot)
{
    const RunState run = runState(snapshot);
    Seen seen;
    seen.atMs = std::chrono::duration_cast<std::chrono::milliseconds>(snapshot.at.time_since_epoch()).count();
    seen.ranks = run.ranks;
    seen.alive = static_cast<qint32>(run.alive.size());
    seen.died = static_cast<qint32>(run.died.size());
    seen.step = lastPosition(snapshot).value_or(-1);
    if (const CheckpointReport &report = snapshot.view.checkpoints; const CheckpointSet *valid = report.newestValid())
        seen.valid = setWords(*valid);
    QByteArray bytes;
    QDataStream into(&bytes, QIODevice::WriteOnly);
    into.setVersion(QDataStream::Qt_6_0);
    into << form << seen.atMs << seen.ranks << seen.alive << seen.died << seen.step << seen.valid;
    return bytes;
}

QString seenWords(const QByteArray &bytes, WallTime now)
{
    QDataStream from(bytes);
    from.setVersion(QDataStream::Qt_6_0);
    qint32 version = 0;
    Seen seen;
    from >> version >> seen.atMs >> seen.ranks >> seen.alive >> seen.died >> seen.step >> seen.valid;
    if (from.status() != QDataStream::Ok || version != form || seen.atMs <= 0) return {};
    const QString when = ago(secondsSince(WallTime(std::chrono::milliseconds(seen.atMs)), now));
    QString words = seen.died > 0    ? SeenJobWords::tr("%1 ranks had died %2").arg(nOf(seen.died, seen.ranks), when)
                    : seen.alive > 0 ? SeenJobWords::tr("%1 ranks ran %2").arg(nOf(seen.alive, seen.ranks), when)
                                     : SeenJobWords::tr("not running %1").arg(when);
    if (seen.step >= 0) words += SeenJobWords::tr(", at step %1").arg(number(seen.step));
    if (!seen.valid.isEmpty()) words += SeenJobWords::tr("; newest VALID %1").arg(seen.valid);
    return words;
}

}  // namespace rankdeck::ui
