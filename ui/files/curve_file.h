// SPDX-License-Identifier: GPL-3.0-or-later
// "Save the curve…": what the deck shows, as a file that the person names. GUI thread.
#pragma once

#include "core/base/result.h"

#include <QString>

class QWidget;

namespace rankdeck::ui {

class JobFeed;

// By the name's end: .csv has every sample of every rank and attempt, .svg the loss as in the incident report, .png the deck
// as it is on the screen. Error: another end, nothing to save, more samples than a table can hold; else as
// writeLocalFileAtomically.
Status writeCurve(const JobFeed &feed, QWidget &deck, const QString &path);
// Asks where to, writes, and says what went wrong, if anything.
void saveCurve(const JobFeed &feed, QWidget &deck, QWidget *window);

}  // namespace rankdeck::ui
