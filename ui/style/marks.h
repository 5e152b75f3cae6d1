// SPDX-License-Identifier: GPL-3.0-or-later
// Marks between the parts of a sentence, as the language of the window writes them.
#pragma once

#include <QString>

namespace rankdeck::ui {

QString comma();  // with its space, where there is one

}  // namespace rankdeck::ui
