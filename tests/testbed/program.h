// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program to its end, without a shell, and returns its output and exit code. For test set-up: there is no time
// limit.
#pragma once

#include <string>
#include <vector>

namespace rankdeck {

struct ProgramOutput {
    int exitCode = -1;  // 128 + signal when it was killed, 127 when it could not be started
    std::string out;    // stdout and stderr, in the order of arrival
};
ProgramOutput runProgram(const std::vector<std::string> &argv, const std::string &input = {});

}  // namespace rankdeck
