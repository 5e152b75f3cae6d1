// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a failed test: the logs of its sshd, its probe and its jobs, and screenshots of its window. They are kept
// below the directory that RANKDECK_KEEP names, in a folder with the name of the test. Without this variable nothing is
// kept.
#pragma once

#include <string>

namespace rankdeck {

// The folder for the files of the running test; empty without RANKDECK_KEEP or outside of a test.
std::string keptDirectory();

// Copies the regular files below `directory` if the running test has failed: the last 1 MB of each, 64 MB in all, no
// keys. Prints "kept: PATH". Never throws, because a failed test must end with its own message.
void keepIfFailed(const std::string &directory) noexcept;

}  // namespace rankdeck
