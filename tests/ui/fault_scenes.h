// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells when something goes wrong in a job: each fault done to a moment of scenes.h, whatever is under way.
#pragma once

#include "tests/ui/scenes.h"

namespace rankdeck::ui::scenes {

void killOne(Snapshot &s);     // rank 5, by signal 9
void killAll(Snapshot &s);     // rank 7 first
void hang(Snapshot &s);        // rank 6 is stopped, the others wait
void nan(Snapshot &s);         // rank 3 first, then all
void tear(Snapshot &s);        // the newest set, in rank 2
void cut(Snapshot &s);         // the second node is silent; its ranks are as they were seen last
void cutAll(Snapshot &s);      // no node answers; nothing is known of any rank
void killAndCut(Snapshot &s);  // rank 1 died, of the second node nothing is known
void fullDisk(Snapshot &s);    // all ranks died of it at a save

}  // namespace rankdeck::ui::scenes
