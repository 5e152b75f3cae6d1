// SPDX-License-Identifier: GPL-3.0-or-later
// `rankdeckctl demo`: starts a demo cluster and prints the path of its job file. Runs until its time is over or SIGINT
// or SIGTERM comes, then cleans up. Restores the caller's handlers of these two signals.
#pragma once

#include "app/demo/cluster.h"

#include <optional>
#include <ostream>

namespace rankdeck::demo {

struct DemoCommandOptions {
    DemoOptions demo = {};
    std::optional<double> forSeconds = {};  // empty: runs until a signal
    bool json = false;    // {"job": PATH, "ssh_config": PATH, "directory": PATH, "nodes": [{"name", "host", "ranks"}]}
    int faultInput = -1;  // descriptor from which further faults are read, one per line; -1: none
};

// Exit code: 0 the time is over, 130 a signal, 2 bad options, 4 the demo cannot run here. Errors and warnings are
// written to messages.
int runDemo(const DemoCommandOptions &options, std::ostream &out, std::ostream &messages);
// Writes messages to standard error.
int runDemo(const DemoCommandOptions &options, std::ostream &out);

}  // namespace rankdeck::demo
