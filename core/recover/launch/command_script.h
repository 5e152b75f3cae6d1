// SPDX-License-Identifier: GPL-3.0-or-later
// Which Python scripts a command starts: by its own words, or by the text of the shell scripts that they name (train_start.sh
// → main.sh → train.py). What cannot be told from words alone ($boot_file, a loop) is not found, which is no proof of
// anything. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct CommandScript {
    std::string script = {};   // the Python file as written; empty: no word names one
    bool direct = false;       // an interpreter is given it: relative to the working directory
    std::string wrapper = {};  // the shell script that is started; empty: none
    std::string program = {};  // a path that is started, and whose name does not say what it is; empty: none
    // Directories of which paths may be spoken: where "cd" of bash -c goes, and those among the wrapper's arguments.
    std::vector<std::string> places = {};
};
bool isShell(const std::string &word);  // bash, /bin/sh
// With the words of "bash -c 'cd …; python …'" in place of that one text.
std::vector<std::string> wordsOfCommand(const std::vector<std::string> &command);
CommandScript scriptOfCommand(const std::vector<std::string> &command);

struct WrapperText {
    std::vector<std::string> scripts = {};   // Python files that its lines start, without variables before them
    std::vector<std::string> wrappers = {};  // shell scripts that it starts
    bool handsOn = false;                    // it uses its arguments: "$@", "$*", "$1"
    bool startsItself = false;               // a line of it starts Python, a launcher or "$@"
    bool startsRanks = false;                // by a launcher, or each of them in a loop
};
WrapperText readWrapper(std::string_view text);

// Where a path may lie that is written in a shell script of that directory, or beside a command; the likeliest first.
std::vector<std::string> placesOfScript(const std::string &path, const std::vector<std::string> &directories);

}  // namespace rankdeck
