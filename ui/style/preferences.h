// SPDX-License-Identifier: GPL-3.0-or-later
// What a person prefers, whatever job is open: kept by QSettings, applied to the whole program at once. What is kept and
// makes no sense is what it is usually. GUI thread.
#pragma once

#include "ui/style/theme.h"

#include <QString>

namespace rankdeck::ui {

struct Preferences {
    Theme::Mode theme = Theme::Mode::system;
    QString language = {};  // "en", "zh_CN"; empty: the desktop's
    int letters = 100;      // percent of the desktop's, one of letterSizes()
    bool utc = false;
    bool binary = false;  // KiB
    bool calm = false;
    bool notifies = true, attention = true, sounds = false;  // of alarms that begin
    QString sshProgram = QStringLiteral("ssh");
    QString stateDirectory = {};  // empty: the usual one
    bool operator==(const Preferences &) const = default;

    [[nodiscard]] static Preferences kept();
    void keep() const;
    // Colours, letters, language and units of what is said from now on. True: what is shown must be made anew.
    [[nodiscard]] bool apply() const;
    [[nodiscard]] static const QList<int> &letterSizes();
};

// What is wrong with it, expected and found; empty: nothing.
[[nodiscard]] QString problemOfProgram(const QString &program);
[[nodiscard]] QString problemOfStateDirectory(const QString &directory);

}  // namespace rankdeck::ui
