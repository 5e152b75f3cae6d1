// SPDX-License-Identifier: GPL-3.0-or-later
// A notice of the desktop (org.freedesktop.Notifications) that an alarm has begun. Asked for and not waited for; where
// the desktop has no such service nothing happens. GUI thread.
#pragma once

#include <QDBusConnection>
#include <QString>

namespace rankdeck::ui {

// title and body are plain text, whatever is in them.
void showDesktopNotice(const QDBusConnection &bus, const QString &title, const QString &body);

}  // namespace rankdeck::ui
