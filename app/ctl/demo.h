// SPDX-License-Identifier: GPL-3.0-or-later
// The demo cluster as a command. Fails as runDemo() does: with a message and its exit code.
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
