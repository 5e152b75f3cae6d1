// SPDX-License-Identifier: GPL-3.0-or-later
// Crash reports: one file per crash with the signal, the version, and the addresses of the call stack. A report
// contains no data of a job and no text from a node. The handler only opens the file and writes it, then lets the
// signal end the program as usual. One per program.
#pragma once

#include <string>
#include <vector>

namespace rankdeck {

// directory: is created if it is missing. If that fails, or if the path is too long, crashes leave no report.
void reportCrashesIn(const std::string &directory, const std::string &version);
// Returns the paths of crash reports not yet shown to the user, oldest first, and marks them as shown.
std::vector<std::string> takeCrashReports(const std::string &directory);

}  // namespace rankdeck
