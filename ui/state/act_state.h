// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the two main actions: whether they are possible, what they cost, and why not. Pure, from a snapshot.
#pragma once

#include "core/engine.h"

#include <QString>

namespace rankdeck::ui {

enum class StopPhase {
    nothingRuns,  // there is no process to stop
    checking,     // there is no preflight yet
    ready,        // one click requests the stop
    warns,        // requires a second click in the pane
    refused,
    cancellable,  // requested, but no rank has read the request yet
    tooLate,      // ranks are saving and exiting
    stopped,      // the last stop succeeded
    notStopped,   // the last stop failed
};

struct StopState {
    StopPhase phase = StopPhase::checking;
    QString button;       // text of the button
    QString note;         // lost work or reason, shown below the button
    QString reason = {};  // the same in full, for the pane and the tooltip
    bool enabled = false;
    bool cancels = false;       // a click withdraws the stop request
    bool startsAtOnce = false;  // a click requests the stop
    bool opensPane = false;     // a click opens the pane, which asks for the second click
};
StopState stopState(const Snapshot &snapshot, WallTime now);

struct ResumeState {
    QString note;
    QString reason = {};
    bool enabled = false;
    bool primary = false;  // filled as the primary button
    QString set = {};      // id of the recommended set, which may be a kept one
};
ResumeState resumeState(const Snapshot &snapshot);

// True for a kept set without a usable copy among the checkpoints.
bool mustBePutBack(const Snapshot &snapshot, const std::string &id);
bool canBeChosen(const CheckpointSet &set, bool allowUnproven);
bool exitRuns(const Snapshot &snapshot);
bool resumeRuns(const Snapshot &snapshot);

}  // namespace rankdeck::ui
