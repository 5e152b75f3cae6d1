// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/desktop_notice.h"

#include <QCoreApplication>
#include <QDBusMessage>
#include <QVariantMap>

namespace rankdeck::ui {

void showDesktopNotice(const QDBusConnection &bus, const QString &title, const QString &body)
{
    if (!bus.isConnected()) return;
    constexpr int asTheDesktopLikes = -1;
    constexpr uchar critical = 2;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    // The specification allows markup in the body, so the text is escaped.
    call << QCoreApplication::applicationName() << 0u << QStringLiteral("io.github.rankdeck.Rankdeck") << title
         << body.toHtmlEscaped() << QStringList()
         << QVariantMap{{QStringLiteral("urgency"), QVariant::fromValue(critical)}} << asTheDesktopLikes;
    bus.send(call);
}

}  // namespace rankdeck::ui
