// SPDX-License-Identifier: GPL-3.0-or-later
// Finder of the Python scripts that a command starts. They are named in the command itself, or in the shell scripts
// that it starts (train_start.sh → main.sh → train.py). Scripts in variables ($boot_file) or loops are not found, so a
// missing script proves nothing. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct CommandScript {
    std::string script = {};   // the Python file as written; empty: not named
    bool direct = false;       // passed to an interpreter: relative to the working directory
    std::string wrapper = {};  // the shell script that is started; empty: none
    std::string program = {};  // a started path whose name does not show what it is; empty: none
    // Directories to which paths may be relative: the target of "cd" in bash -c, and directories among the wrapper's
    // arguments.
    std::vector<std::string> places = {};
};
bool isShell(const std::string &word);  // bash, /bin/sh
// The command, with the text of "bash -c 'cd …; python …'" split into its arguments.
std::vector<std::string> wordsOfCommand(const std::vector<std::string> &command);
CommandScript scriptOfCommand(const std::vector<std::string> &command);

struct WrapperText {
    std::vector<std::string> scripts = {};   // Python files that its lines start, without variables before them
    std::vector<std::string> wrappers = {};  // shell scripts that it starts
    bool handsOn = false;                    // it uses its arguments: "$@", "$*", "$1"
    bool startsItself = false;               // a line of it starts Python, a launcher or "$@"
    bool startsRanks = false;                // it starts all ranks of the node, with a launcher or in a loop
};
WrapperText readWrapper(std::string_view text);

// Possible locations of a path that is written in a shell script of that directory, or in a command; the most likely
// first.
std::vector<std::string> placesOfScript(const std::string &path, const std::vector<std::string> &directories);

}  // namespace rankdeck
