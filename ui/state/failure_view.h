// SPDX-License-Identifier: GPL-3.0-or-later
// The subject of the failure view: the worst current alarm, as in the banner, at the log line of the event that reports
// it. If nothing is wrong any more, the last failure. Pure; never fails.
#pragma once

#include "core/engine.h"

#include <QString>

#include <optional>
#include <vector>

namespace rankdeck::ui {

struct FailureView {
    QString fact, rest = {};
    // Place to show. Its id is 0 if no event of the history reports it.
    std::optional<Event> event = {};
};
// offline: a history has only failures, no current alarms.
FailureView failureViewOf(const Snapshot &snapshot, WallTime now, bool offline);
FailureView failureViewOf(const Event &event);
// The failures in the history, oldest first.
std::vector<Event> failuresIn(const Snapshot &snapshot);

}  // namespace rankdeck::ui
