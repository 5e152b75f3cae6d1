// SPDX-License-Identifier: GPL-3.0-or-later
// A desktop notification (org.freedesktop.Notifications) about a new alarm. The call does not wait for a reply. Without
// such a service nothing happens. GUI thread.
#pragma once

#include <QDBusConnection>
#include <QString>

namespace rankdeck::ui {

// title and body are plain text; any markup in them is shown literally.
void showDesktopNotice(const QDBusConnection &bus, const QString &title, const QString &body);

}  // namespace rankdeck::ui
