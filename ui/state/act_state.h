// SPDX-License-Identifier: GPL-3.0-or-later
// What the two big actions can do right now, what they cost, and why not: pure, from a snapshot.
#pragma once

#include "core/engine.h"

#include <QString>

namespace rankdeck::ui {

enum class StopPhase {
    nothingRuns,  // no process to stop
    checking,     // no preflight yet
    ready,        // one click arms
    warns,        // a second click in the pane
    refused,
    cancellable,  // asked for, no rank has read the flag
    tooLate,      // ranks save and leave
    stopped,      // the last one ended well
    notStopped,   // the last one did not
};

struct StopState {
    StopPhase phase = StopPhase::checking;
    QString button;       // the button's words
    QString note;         // price, or reason, under it
    QString reason = {};  // the same in full, for the pane and tooltip
    bool enabled = false;
    bool cancels = false;       // a click takes the stop back
    bool startsAtOnce = false;  // a click arms
    bool opensPane = false;     // a click shows the pane, where the second click is
};
StopState stopState(const Snapshot &snapshot, WallTime now);

struct ResumeState {
    QString note;
    QString reason = {};
    bool enabled = false;
    bool primary = false;  // the one filled button
    QString set = {};      // id of the recommended one, which may be kept
};
ResumeState resumeState(const Snapshot &snapshot);

// A kept set that lies nowhere else, whole.
bool mustBePutBack(const Snapshot &snapshot, const std::string &id);
bool canBeChosen(const CheckpointSet &set, bool allowUnproven);
bool exitRuns(const Snapshot &snapshot);
bool resumeRuns(const Snapshot &snapshot);

}  // namespace rankdeck::ui
