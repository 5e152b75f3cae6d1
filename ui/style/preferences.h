// SPDX-License-Identifier: GPL-3.0-or-later
// The user's preferences, independent of the open job: stored by QSettings, applied to the whole program at once. An
// invalid stored value is replaced by the default. GUI thread.
#pragma once

#include "ui/style/theme.h"

#include <QString>

namespace rankdeck::ui {

struct Preferences {
    Theme::Mode theme = Theme::Mode::system;
    QString language = {};  // "en", "zh_CN"; empty: that of the desktop
    int letters = 100;      // percent of the desktop's font size, one of letterSizes()
    bool utc = false;
    bool binary = false;  // KiB instead of kB
    bool calm = false;
    bool notifies = true, attention = true, sounds = false;  // for new alarms
    QString sshProgram = QStringLiteral("ssh");
    QString stateDirectory = {};  // empty: the default one
    bool operator==(const Preferences &) const = default;

    [[nodiscard]] static Preferences kept();
    void keep() const;
    // Sets colours, font size, language and units for new texts. True: existing widgets must be made again.
    [[nodiscard]] bool apply() const;
    [[nodiscard]] static const QList<int> &letterSizes();
};

// The problem with the value: expected and found; empty: none.
[[nodiscard]] QString problemOfProgram(const QString &program);
[[nodiscard]] QString problemOfStateDirectory(const QString &directory);

}  // namespace rankdeck::ui
