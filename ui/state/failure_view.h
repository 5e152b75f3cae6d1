// SPDX-License-Identifier: GPL-3.0-or-later
// What "The moment" is about: the worst of what is wrong now, as the banner has it, at the log line of the event that tells
// it where there is one; when nothing is wrong any more, the failure before. Pure; never fails.
#pragma once

#include "core/engine.h"

#include <QString>

#include <optional>
#include <vector>

namespace rankdeck::ui {

struct FailureView {
    QString fact, rest = {};
    // Where to look. Its id is 0 where no event of the history tells it.
    std::optional<Event> event = {};
};
// offline: a history has no now, only failures.
FailureView failureViewOf(const Snapshot &snapshot, WallTime now, bool offline);
FailureView failureViewOf(const Event &event);
// The failures that the history tells, oldest first.
std::vector<Event> failuresIn(const Snapshot &snapshot);

}  // namespace rankdeck::ui
