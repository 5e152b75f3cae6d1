// SPDX-License-Identifier: GPL-3.0-or-later
// `rankdeckctl demo`: starts a demo cluster, prints where its job file is, stays until the time is over or SIGINT or
// SIGTERM comes, and cleans up. The caller's handlers of these two signals are put back.
#pragma once

#include "app/demo/cluster.h"

#include <optional>
#include <ostream>

namespace rankdeck::demo {

struct DemoCommandOptions {
    DemoOptions demo = {};
    std::optional<double> forSeconds = {};  // empty: until a signal
    bool json = false;    // {"job": PATH, "ssh_config": PATH, "directory": PATH, "nodes": [{"name", "host", "ranks"}]}
    int faultInput = -1;  // descriptor to read further faults from, a line each; -1: none
};

// Exit code: 0 the time is over, 130 a signal, 2 bad options, 4 it cannot run here. Messages go to messages.
int runDemo(const DemoCommandOptions &options, std::ostream &out, std::ostream &messages);
// Messages go to standard error.
int runDemo(const DemoCommandOptions &options, std::ostream &out);

}  // namespace rankdeck::demo
