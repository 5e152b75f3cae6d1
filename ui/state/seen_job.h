// SPDX-License-Identifier: GPL-3.0-or-later
// What was last seen of a job, kept for the list of recent jobs when its window closes. Pure; bytes that are not ours say
// nothing.
#pragma once

#include "core/engine.h"

#include <QByteArray>
#include <QString>

namespace rankdeck::ui {

QByteArray seenOf(const Snapshot &snapshot);
QString seenWords(const QByteArray &seen, WallTime now);  // "8 of 8 ranks ran 2 h ago, at step 40,703"; empty: never

}  // namespace rankdeck::ui
