// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoint loads of a Python script, found in its text: the calls, the origin of their arguments, and the options
// that each call needs. Follows names through assignments and calls, and never runs anything. An empty list does not
// prove that nothing is loaded, because not every origin can be followed. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ScriptLoad {
    std::string call = {};                  // its name: "load_checkpoint"
    bool searches = false;                  // its argument comes from the listing of a directory
    std::vector<std::string> texts = {};    // strings that are part of its argument
    std::vector<std::string> options = {};  // options in its argument, with "_" for "-": "resume" for args.resume
    std::vector<std::string> needs = {};    // options that the load needs to run and to have a file; "a|b": one of them
};
std::vector<ScriptLoad> loadsOf(std::string_view script);

// True if the text shows that the script reads command-line arguments.
bool takesArguments(std::string_view script);
// True if it starts another Python script: by subprocess, os.system, os.execvp or runpy.
bool startsScripts(std::string_view script);

}  // namespace rankdeck
