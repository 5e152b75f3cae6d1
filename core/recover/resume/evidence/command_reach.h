// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the checkpoint in launch.command reaches the program that trains. The line of "bash -c" may ignore its
// arguments, or may pass them to another program. Pure.
#pragma once

#include "core/base/message.h"

#include <string>
#include <vector>

namespace rankdeck {

struct CommandReach {
    bool isNamed = false;  // an argument of the command has the placeholder
    std::string variable =
        {};  // the environment variable that gets it, instead of an argument: "CKPT={checkpoint} python …"
    Message problem = {};     // a clause: why it does not reach the program that is started
    std::string option = {};  // option as it is written, "--resume"; empty: an argument without an option
    std::string opaque = {};  // the program that gets it, if that is neither a script nor known to start one: "make"
};
// names: placeholders without their braces.
CommandReach reachOf(const std::vector<std::string> &command, const std::vector<std::string> &names);

struct CommandOption {
    std::string name = {};   // without dashes, with "_" for "-"; empty: an argument without a name
    std::string value = {};  // empty: a switch
};
// Parses "--a=b", "--a b", "-a b", "a=b", "--switch" and bare arguments, including those within the line of "bash -c".
std::vector<CommandOption> optionsOf(const std::vector<std::string> &command);

}  // namespace rankdeck
