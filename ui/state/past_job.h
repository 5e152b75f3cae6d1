// SPDX-License-Identifier: GPL-3.0-or-later
// Remains of an ended job on the disks: the progress in its logs, and its newest VALID set. Pure.
#pragma once

#include "core/engine/discovery/discovery_session.h"

#include <QString>

namespace rankdeck::ui {

// Example: "Logs: 4 of 4, last written 3 h ago, at step 41,037. Newest VALID set: 41,000."
[[nodiscard]] QString onDiskWords(const EndedJobScan &look, WallTime now);

}  // namespace rankdeck::ui
