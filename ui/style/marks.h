// SPDX-License-Identifier: GPL-3.0-or-later
// Punctuation between parts of a sentence, in the language of the window.
#pragma once

#include <QString>

namespace rankdeck::ui {

QString comma();  // includes the space after it, if the language has one

}  // namespace rankdeck::ui
