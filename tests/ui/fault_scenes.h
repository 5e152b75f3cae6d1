// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of a job, as the engine reports them. Each can be applied to any scene of scenes.h, whatever action is
// running.
#pragma once

#include "tests/ui/scenes.h"

namespace rankdeck::ui::scenes {

void killOne(Snapshot &s);             // rank 5, by signal 9
void killAll(Snapshot &s);             // rank 7 first
void hang(Snapshot &s);                // rank 6 is stopped, the others wait
void nan(Snapshot &s);                 // rank 3 first, then all
void tear(Snapshot &s);                // the newest set, in rank 2
void cut(Snapshot &s);                 // the second node is silent; its ranks have their last known state
void cutAll(Snapshot &s);              // no node answers; all ranks are unknown
void killAndCut(Snapshot &s);          // rank 1 died, the second node is unknown
void fullDisk(Snapshot &s);            // all ranks died of it at a save
void nanInOne(Snapshot &s);            // rank 3; the others continue with good losses
void nanStop(Snapshot &s);             // NaN on all, then the scripts end with an error about it
void stopThenDie(Snapshot &s);         // a graceful stop: three ranks have confirmed and ended, rank 5 died
void killTwo(Snapshot &s);             // ranks 1 and 6, by the same signal at the same time
void hangAndCut(Snapshot &s);          // rank 2 is stopped, the second node is silent
void nanAndKill(Snapshot &s);          // NaN on all, then rank 5 is killed
void reboot(Snapshot &s);              // the second node is back after a loss, without its ranks
void comesLate(Snapshot &s);           // all were killed before this console started: it saw no process
void nanAndNothingLeft(Snapshot &s);   // NaN on all, and rotation has deleted every good set
void nanAndKept(Snapshot &s);          // the same, but 40,200 was kept before
void leftEarly(Snapshot &s);           // rank 3 returned 0 on its own, the others wait for it
void clocksApart(Snapshot &s);         // the second node's clock is three hours ahead, the first one's two behind
void clocksApartAndKill(Snapshot &s);  // and rank 5 is killed

}  // namespace rankdeck::ui::scenes
