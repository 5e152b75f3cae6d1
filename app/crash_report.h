// SPDX-License-Identifier: GPL-3.0-or-later
// A crash leaves a file: the signal, the version, and the addresses of the calls that led to it; nothing of a job and no
// text of a node. The handler only opens, writes and lets the signal end the program as it would have. One per program.
#pragma once

#include <string>
#include <vector>

namespace rankdeck {

// directory: is made when it is missing; where that fails, or the path is too long, crashes leave nothing.
void reportCrashesIn(const std::string &directory, const std::string &version);
// Reports of earlier crashes that nobody was told of, oldest first; from now on they count as told.
std::vector<std::string> takeCrashReports(const std::string &directory);

}  // namespace rankdeck
