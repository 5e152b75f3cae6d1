// SPDX-License-Identifier: GPL-3.0-or-later
// Job files that nobody has saved: where the window keeps the jobs that it was shown and that were watched. A file that is
// there with another text is never written over: somebody may have typed it. Error as of writing files.
#pragma once

#include "core/job/job_file.h"

#include <string>

namespace rankdeck {

// The path of NAME.rankdeck.json in the directory, or of NAME-2 … where that is another job; for the user alone to read.
Result<std::string> keepJobFile(const std::string &directory, const Job &job);
// The jobs of the newest files there, newest first and without their files; those behind so many
// are removed. What is no job file is left out.
std::vector<Job> readJobFolder(const std::string &directory, std::size_t most);

}  // namespace rankdeck
