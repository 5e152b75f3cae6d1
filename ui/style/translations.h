// SPDX-License-Identifier: GPL-3.0-or-later
// Installs the texts of a language: English plurals always; Chinese where it is asked for and a font can draw it. What
// is shown already keeps its words. GUI thread.
#pragma once

#include <QStringList>

namespace rankdeck::ui {

void installTranslations();  // once, after the QApplication and before the first window: the desktop's language
// One of shownLanguages(); empty: the desktop's. False: it is shown already.
bool showLanguage(const QString &name);
[[nodiscard]] QStringList shownLanguages();  // empty first; those that a font can draw

}  // namespace rankdeck::ui
