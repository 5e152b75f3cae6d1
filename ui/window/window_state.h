// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers between starts, per user: recent job files (10 at most), and per job its splitters and
// geometry. Kept by QSettings. What is not kept, or cannot be, is empty.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace rankdeck::ui {

class WindowState {
public:
    static QStringList recentJobs();  // newest first; those that are gone are left out
    static void addRecent(const QString &jobFile);
    static QByteArray kept(const QString &job, const QString &what);
    static void keep(const QString &job, const QString &what, const QByteArray &state);
};

}  // namespace rankdeck::ui
