// SPDX-License-Identifier: GPL-3.0-or-later
// The question before a resume of which nothing shows that it loads the chosen set. It is asked once, and Cancel is the default.
#pragma once

#include <functional>

class QWidget;

namespace rankdeck::ui {

// Opens a dialog over the window and returns at once. accepted runs if the operator goes on; at most one dialog is open.
void askBeforeZero(QWidget *pane, std::function<void()> accepted);

}  // namespace rankdeck::ui
