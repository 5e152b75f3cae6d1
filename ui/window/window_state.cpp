// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_state.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QSettings>

namespace rankdeck::ui {

namespace {

constexpr int most = 10;
const QString recentKey = QStringLiteral("recent");

// A job's name may contain any character, but a settings key may not.
QString keyOf(const QString &job, const QString &what)
{
    const QByteArray hash = QCryptographicHash::hash(job.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    return QStringLiteral("jobs/%1/%2").arg(QString::fromLatin1(hash), what);
}

}  // namespace

QStringList WindowState::recentJobs()
{
    QStringList files = QSettings().value(recentKey).toStringList();
    files.removeIf([](const QString &file) { return !QFileInfo::exists(file); });
    return files.mid(0, most);
}

void WindowState::addRecent(const QString &jobFile)
{
    QStringList files = recentJobs();
    const QString path = QFileInfo(jobFile).absoluteFilePath();
    files.removeAll(path);
    files.prepend(path);
    QSettings().setValue(recentKey, files.mid(0, most));
}

QByteArray WindowState::kept(const QString &job, const QString &what)
{
    return QSettings().value(keyOf(job, what)).toByteArray();
}

void WindowState::keep(const QString &job, const QString &what, const QByteArray &state)
{
    QSettings().setValue(keyOf(job, what), state);
}

}  // namespace rankdeck::ui
