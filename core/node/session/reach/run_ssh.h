// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one of OpenSSH's programs to its end, without a shell, with no input and with bounds on time and output. Blocks the
// calling thread; `stopped` makes it return soon, and the program is gone when it returns.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace rankdeck {

struct ProgramResult {
    int exitCode = 0;    // 128 + signal when it was killed
    std::string output;  // ≤ 1 MiB
    std::string errors;  // ≤ 64 KiB
};

// Error notFound when there is no such program, timeout, cancelled.
Result<ProgramResult> runToEnd(const std::vector<std::string> &argv, std::chrono::milliseconds atMost,
                               const std::function<bool()> &stopped);

}  // namespace rankdeck
