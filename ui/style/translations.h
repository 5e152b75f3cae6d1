// SPDX-License-Identifier: GPL-3.0-or-later
// Installs the translation of a language: English plurals always; Chinese if it is chosen and a font can draw it.
// Existing widgets keep their texts. GUI thread.
#pragma once

#include <QStringList>

namespace rankdeck::ui {

void installTranslations();  // once, after the QApplication and before the first window: the desktop's language
// name: one of shownLanguages(); empty: the desktop's. Returns false if the language is already in use.
bool showLanguage(const QString &name);
[[nodiscard]] QStringList shownLanguages();  // only languages that a font can draw; the empty one is first

}  // namespace rankdeck::ui
