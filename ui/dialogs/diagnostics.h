// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about this program and the open job for a support request, as plain lines in English: versions, desktop,
// counts, states and codes. Contains no name of a host, user, job or file, and no text of a node.
#pragma once

#include "core/engine.h"

#include <QString>

namespace rankdeck::ui {

[[nodiscard]] QString diagnosticsOf(const Snapshot *snapshot);  // nullptr: no job is open

}  // namespace rankdeck::ui
