// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program of this machine with three pipes, in its own session, and without any other descriptor of this
// process. The program has no terminal: if it would ask there, it fails at once instead of being stopped in the
// background. (The ssh of a ProxyJump does not use BatchMode.)
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace rankdeck {

struct SpawnedChild {
    pid_t pid = -1;
    int input = -1;  // its stdin; our ends of all three are non-blocking and close-on-exec
    int output = -1;
    int errors = -1;
};

// Error notFound or permission if argv[0], searched in PATH, cannot be run; internal if there are no more descriptors.
Result<SpawnedChild> spawnChild(const std::vector<std::string> &argv);
// write(2) that returns EPIPE and never raises SIGPIPE, whatever this process does with the signal.
ssize_t writeWithoutSignal(int fd, std::string_view bytes);

}  // namespace rankdeck
