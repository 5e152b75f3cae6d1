// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a graceful stop: status lines, a title, a box with the remaining options, and the force stop. Pure.
#pragma once

#include "core/engine.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck::ui {

// How the ranks are asked to stop, and how that affects what can be observed and withdrawn.
struct StopWay {
    bool leavesLines = true;  // a rank that obeys writes a log line
    bool leavesAFile = true;  // a file that must be withdrawn; else the request is a signal
    bool isFlag = true;       // this file contains GracefulExit
};
StopWay stopWay(const Snapshot &snapshot);
bool savesNothing(const Snapshot &snapshot);  // the preflight found that the script's exit saves nothing

// The lines of the stop pane, at most six.
struct Stage {
    enum class Mark { open, busy, done, warns, refused } mark = Mark::open;
    QString name, text;
};
std::vector<Stage> stopStages(const Snapshot &snapshot, WallTime now);
// The alarm of a running stop that cannot finish: a rank that should confirm has died, hangs, or had exited before.
std::optional<Alarm> stuckStop(const Snapshot &snapshot, WallTime now);
std::vector<int> ranksWithoutContact(const Snapshot &snapshot);  // ranks whose nodes do not answer now
bool noNodeIsLive(const Snapshot &snapshot);
QString stopTitle(const Snapshot &snapshot, WallTime now);
// The box below the table: a bold fact, then its meaning.
struct StopMessage {
    QString bold, text;
};
StopMessage stopMessage(const Snapshot &snapshot, WallTime now);
// The force stop becomes available after two minutes, or when a rank hangs behind the others.
struct EscalationOptions {
    bool open = false;
    QString when;
    QString price;
    int processes = 0;                                // number of processes that would get SIGTERM
    std::vector<ProcessTarget> term = {}, kill = {};  // targets of each signal: exactly those that are shown
};
QStringList targetLines(const std::vector<ProcessTarget> &targets);  // one readable line per process
EscalationOptions stopRungs(const Snapshot &snapshot, WallTime now);

}  // namespace rankdeck::ui
