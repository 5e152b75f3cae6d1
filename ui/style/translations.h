// SPDX-License-Identifier: GPL-3.0-or-later
// Installs the texts of the user's language: English plurals always; Chinese where the locale asks for it and a font can
// draw it. Call once, before the first window.
#pragma once

class QApplication;

namespace rankdeck::ui {

void installTranslations(QApplication &app);

}  // namespace rankdeck::ui
