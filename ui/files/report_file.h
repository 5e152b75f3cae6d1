// SPDX-License-Identifier: GPL-3.0-or-later
// "Incident report…": core's report of what the page shows, as a file that the person names. GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/journal/journal.h"

#include <QString>

#include <vector>

class QWidget;

namespace rankdeck::ui {

class JobFeed;

// Where a file about the job usually goes: "llama-2026-11-22.html" beside the job file.
QString usualPath(const Job &job, const QString &end);
// HTML, or Markdown when the name ends in .md. Error: as writeLocalFileAtomically.
Status writeReport(const JobFeed &feed, std::vector<JournalEntry> journal, const QString &path);
// Asks where to, writes, and says what went wrong, if anything.
void saveReport(JobFeed &feed, QWidget *window);

}  // namespace rankdeck::ui
