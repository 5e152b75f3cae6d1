// SPDX-License-Identifier: GPL-3.0-or-later
// The time at which scenes happen. It does not advance within a test. Never fails.
#pragma once

namespace rankdeck::ui::scenes {

void tellNow();                // main calls it at the start of each test
void tellSecondsAgo(int ago);  // scenes made from now on happened that long ago

}  // namespace rankdeck::ui::scenes
