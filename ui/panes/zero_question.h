// SPDX-License-Identifier: GPL-3.0-or-later
// The question before a resume without evidence that it loads the chosen set. It is asked once, and Cancel is the
// default.
#pragma once

#include <functional>

class QWidget;

namespace rankdeck::ui {

// Opens a dialog over the window and returns at once. accepted runs if the user confirms. At most one dialog is open.
void askBeforeZero(QWidget *pane, std::function<void()> accepted);

}  // namespace rankdeck::ui
