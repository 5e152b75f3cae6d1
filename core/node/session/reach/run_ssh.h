// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one of OpenSSH's programs to its end, without a shell and input, with limits on time and output. Blocks the
// calling thread; `stopped` makes it return soon. When it returns, the program has ended.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace rankdeck {

struct ProgramResult {
    int exitCode = 0;    // 128 + signal if it was killed
    std::string output;  // ≤ 1 MiB
    std::string errors;  // ≤ 64 KiB
};

// Errors: notFound if there is no such program, timeout, cancelled.
Result<ProgramResult> runToEnd(const std::vector<std::string> &argv, std::chrono::milliseconds atMost,
                               const std::function<bool()> &stopped);

}  // namespace rankdeck
