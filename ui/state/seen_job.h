// SPDX-License-Identifier: GPL-3.0-or-later
// The last known state of a job, stored for the list of recent jobs when its window closes. Pure; unknown bytes give an
// empty text.
#pragma once

#include "core/engine.h"

#include <QByteArray>
#include <QString>

namespace rankdeck::ui {

QByteArray seenOf(const Snapshot &snapshot);
QString seenWords(const QByteArray &seen, WallTime now);  // "8 of 8 ranks ran 2 h ago, at step 40,703"; empty: never

}  // namespace rankdeck::ui
