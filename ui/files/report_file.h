// SPDX-License-Identifier: GPL-3.0-or-later
// "Incident report…": saves core's report about the shown job as a file that the user names. GUI thread.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/journal/journal.h"

#include <QString>

#include <vector>

class QWidget;

namespace rankdeck::ui {

class JobFeed;

// The default path of a file about the job: "llama-2026-11-22.html" next to the job file.
QString usualPath(const Job &job, const QString &end);
// Writes HTML, or Markdown if the name ends in .md. Errors: those of writeLocalFileAtomically.
Status writeReport(const JobFeed &feed, std::vector<JournalEntry> journal, const QString &path);
// Asks for a file name, writes the file, and reports an error.
void saveReport(JobFeed &feed, QWidget *window);

}  // namespace rankdeck::ui
