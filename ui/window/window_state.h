// SPDX-License-Identifier: GPL-3.0-or-later
// State that the window remembers between starts, per user: recent job files (at most 10), and splitters and geometry
// per job. Stored by QSettings. Missing or unreadable values are empty.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace rankdeck::ui {

class WindowState {
public:
    static QStringList recentJobs();  // newest first; without files that no longer exist
    static void addRecent(const QString &jobFile);
    static QByteArray kept(const QString &job, const QString &what);
    static void keep(const QString &job, const QString &what, const QByteArray &state);
};

}  // namespace rankdeck::ui
