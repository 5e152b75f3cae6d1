// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader is told the parts of the deck are: a group, charts, a line of text. Their names and descriptions
// are the widgets' own; the lanes are a table by themselves. Installed once by the first deck. GUI thread.
#pragma once

namespace rankdeck::ui {

void installDeckRoles();

}  // namespace rankdeck::ui
