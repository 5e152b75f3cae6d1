// SPDX-License-Identifier: GPL-3.0-or-later
// Hands a second start of the program over to the first one, through its name on the session's D-Bus
// (org.freedesktop.Application). Without a bus, or if the first instance does not answer within two seconds, each start
// is independent. GUI thread.
#pragma once

#include <QDBusConnection>
#include <QObject>
#include <QStringList>
#include <QVariantMap>

#include <functional>

namespace rankdeck {

class Handover : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Application")
public:
    // wanted: called with a job file or directory to open, or with nothing to show the window. Claims the bus name if
    // it is free.
    Handover(QDBusConnection bus, std::function<void(const QString &path)> wanted);
    // True if the first instance has taken over, so this one can exit. path: absolute, or empty.
    static bool isTakenOver(const QDBusConnection &bus, const QString &path);

public Q_SLOTS:
    void Activate(const QVariantMap &platform);
    void Open(const QStringList &uris, const QVariantMap &platform);

private:
    std::function<void(const QString &path)> m_wanted;
};

}  // namespace rankdeck
