// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program of this machine with three pipes, in its own session, with no other descriptor of ours open. It has
// no terminal: a program that would ask there fails at once instead of being stopped in the background. (The ssh of a
// ProxyJump does not use BatchMode.)
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace rankdeck {

struct SpawnedChild {
    pid_t pid = -1;
    int input = -1;  // its stdin; all three are non-blocking on our side, close-on-exec
    int output = -1;
    int errors = -1;
};

// Error notFound or permission when argv[0], looked up in PATH, cannot be run; internal when descriptors run out.
Result<SpawnedChild> spawnChild(const std::vector<std::string> &argv);
// write(2) that returns EPIPE and never raises SIGPIPE, whatever the program's setting is.
ssize_t writeWithoutSignal(int fd, std::string_view bytes);

}  // namespace rankdeck
