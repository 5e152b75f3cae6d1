// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells when something goes wrong in a job: each fault done to a moment of scenes.h, whatever is under way.
#pragma once

#include "tests/ui/scenes.h"

namespace rankdeck::ui::scenes {

void killOne(Snapshot &s);            // rank 5, by signal 9
void killAll(Snapshot &s);            // rank 7 first
void hang(Snapshot &s);               // rank 6 is stopped, the others wait
void nan(Snapshot &s);                // rank 3 first, then all
void tear(Snapshot &s);               // the newest set, in rank 2
void cut(Snapshot &s);                // the second node is silent; its ranks are as they were seen last
void cutAll(Snapshot &s);             // no node answers; nothing is known of any rank
void killAndCut(Snapshot &s);         // rank 1 died, of the second node nothing is known
void fullDisk(Snapshot &s);           // all ranks died of it at a save
void nanInOne(Snapshot &s);           // rank 3; the others go on with good losses
void nanStop(Snapshot &s);            // NaN on all, then the scripts end themselves by an error that says so
void stopThenDie(Snapshot &s);        // a graceful stop of which three ranks have confirmed and gone; rank 5 died in it
void killTwo(Snapshot &s);            // ranks 1 and 6, of one signal at one time
void hangAndCut(Snapshot &s);         // rank 2 is stopped, the second node is silent
void nanAndKill(Snapshot &s);         // NaN on all, then rank 5 is killed
void reboot(Snapshot &s);             // the second node was away, is back, and its ranks are gone
void comesLate(Snapshot &s);          // all were killed before this console came: no process was ever seen
void nanAndNothingLeft(Snapshot &s);  // NaN on all, and rotation has taken every good set
void nanAndKept(Snapshot &s);         // the same, but 40,200 was kept before
void leftEarly(Snapshot &s);          // rank 3 returned 0 by itself, the others wait for it
void clocksApart(Snapshot &s);        // the second node's clock is three hours ahead, the first one's two behind
void clocksApartAndKill(Snapshot &s);  // and rank 5 is killed

}  // namespace rankdeck::ui::scenes
