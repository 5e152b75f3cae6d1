// SPDX-License-Identifier: GPL-3.0-or-later
// A fake desktop notification service on a message bus, which records the requests that it gets. It never fails.
#pragma once

#include <QObject>
#include <QStringList>
#include <QVariantMap>

namespace rankdeck::ui {

class Desktop : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public Q_SLOTS:
    uint Notify(const QString &, uint, const QString &, const QString &title, const QString &text, const QStringList &,
                const QVariantMap &hints, int)
    {
        titles << title;
        texts << text;
        urgency = hints.value(QStringLiteral("urgency")).toInt();
        return 1;
    }

public:
    QStringList titles, texts;
    int urgency = -1;
};

}  // namespace rankdeck::ui
