// SPDX-License-Identifier: GPL-3.0-or-later
// The demo cluster as a command. On failure it prints a message and returns an exit code, as runDemo() does.
#pragma once

#include "app/ctl/command.h"
#include "app/demo/demo_command.h"

namespace CLI {
class App;
}

namespace rankdeck::ctl {

struct DemoCommand {
    demo::DemoCommandOptions options = {};
    double seconds = 0;
};
void addDemoOptions(CLI::App &command, DemoCommand &into);
int demo(const Globals &globals, const DemoCommand &command);

}  // namespace rankdeck::ctl
