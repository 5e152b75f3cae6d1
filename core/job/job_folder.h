// SPDX-License-Identifier: GPL-3.0-or-later
// Job files that the user has not saved: the window's folder of shown and watched jobs. An existing file with another
// text is never overwritten, because a user may have typed it. Errors as of writing files.
#pragma once

#include "core/job/job_file.h"

#include <string>

namespace rankdeck {

// The path of NAME.rankdeck.json in the directory, or of NAME-2 … if that is another job; readable only by the user.
Result<std::string> keepJobFile(const std::string &directory, const Job &job);
// The jobs of the newest files there, newest first and without their files. Older files beyond `most` are removed.
// Files that are not job files are left out.
std::vector<Job> readJobFolder(const std::string &directory, std::size_t most);

}  // namespace rankdeck
