// SPDX-License-Identifier: GPL-3.0-or-later
// How a graceful stop is told: its lines, a title, a box with what can still be done, and the rungs after it. Pure.
#pragma once

#include "core/engine.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck::ui {

// How the ranks are asked to stop, as far as it decides what can be seen and taken back.
struct StopWay {
    bool leavesLines = true;  // a rank that obeys says so in its log
    bool leavesAFile = true;  // which has to be taken back; else a signal
    bool isFlag = true;       // that file holds GracefulExit
};
StopWay stopWay(const Snapshot &snapshot);
bool savesNothing(const Snapshot &snapshot);  // the script's own words: its exit saves nothing

// The lines of the stop pane: six at most.
struct Stage {
    enum class Mark { open, busy, done, warns, refused } mark = Mark::open;
    QString name, text;
};
std::vector<Stage> stopStages(const Snapshot &snapshot, WallTime now);
// The alarm of a stop that runs and cannot finish: a rank that should confirm died, hangs or had left before.
std::optional<Alarm> stuckStop(const Snapshot &snapshot, WallTime now);
QString stuckWords(const Alarm &stuck);                          // "rank 6 hangs", "ranks 0–5, 7 died"
std::vector<int> ranksWithoutContact(const Snapshot &snapshot);  // their nodes do not answer now
bool noNodeIsLive(const Snapshot &snapshot);
QString stopTitle(const Snapshot &snapshot, WallTime now);
// The box under the table: a bold fact, then what it means.
struct StopMessage {
    QString bold, text;
};
StopMessage stopMessage(const Snapshot &snapshot, WallTime now);
// The rungs open after two minutes, or when one rank hangs behind the others.
struct EscalationOptions {
    bool open = false;
    QString when;
    QString price;
    int processes = 0;                                // that SIGTERM would go to
    std::vector<ProcessTarget> term = {}, kill = {};  // whom each rung hits: what is shown is what is signalled
};
QStringList targetLines(const std::vector<ProcessTarget> &targets);  // one line per process, for reading
EscalationOptions stopRungs(const Snapshot &snapshot, WallTime now);

}  // namespace rankdeck::ui
