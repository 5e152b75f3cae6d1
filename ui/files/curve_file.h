// SPDX-License-Identifier: GPL-3.0-or-later
// "Save the curve…": saves the curves of the deck as a file that the user names. GUI thread.
#pragma once

#include "core/base/result.h"

#include <QString>

class QWidget;

namespace rankdeck::ui {

class JobFeed;

// The extension chooses the format: .csv has all samples of all ranks and attempts, .svg the loss as in the incident
// report, .png the deck. Errors: another extension, nothing to save, too many samples for a table, and those of
// writeLocalFileAtomically.
Status writeCurve(const JobFeed &feed, QWidget &deck, const QString &path);
// Asks for a file name, writes the file, and reports an error.
void saveCurve(const JobFeed &feed, QWidget &deck, QWidget *window);

}  // namespace rankdeck::ui
