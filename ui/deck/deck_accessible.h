// SPDX-License-Identifier: GPL-3.0-or-later
// Accessible roles of the parts of the deck: a group, charts, a line of text. Names and descriptions come from the
// widgets; the lanes are an ordinary table. The first deck installs the roles once. GUI thread.
#pragma once

namespace rankdeck::ui {

void installDeckRoles();

}  // namespace rankdeck::ui
