// SPDX-License-Identifier: GPL-3.0-or-later
// A second start hands over to the first: by the name of the program on the session's D-Bus, as org.freedesktop.Application
// has it. Without a bus, or when the first does not answer within two seconds, every start is one of its own. GUI thread.
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
    // wanted: a job file or a directory to open, or nothing: to be seen. Takes the name on the bus, if nobody has it.
    Handover(QDBusConnection bus, std::function<void(const QString &path)> wanted);
    // True: the first start has it; this one has nothing to do. path: absolute, or empty.
    static bool isTakenOver(const QDBusConnection &bus, const QString &path);

public Q_SLOTS:
    void Activate(const QVariantMap &platform);
    void Open(const QStringList &uris, const QVariantMap &platform);

private:
    std::function<void(const QString &path)> m_wanted;
};

}  // namespace rankdeck
