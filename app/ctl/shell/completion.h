// SPDX-License-Identifier: GPL-3.0-or-later
// Completion scripts for bash, zsh and fish, generated from the commands and options. Pure.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rankdeck::ctl {

const std::vector<std::string> &completedShells();
// shell: one of completedShells(). Hosts come from the user's ssh config; job files and directories from the current
// directory.
std::string completionScript(const CLI::App &app, const std::string &shell);

}  // namespace rankdeck::ctl
