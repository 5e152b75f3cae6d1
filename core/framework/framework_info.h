// SPDX-License-Identifier: GPL-3.0-or-later
// Rankdeck's knowledge about a training framework, as data: one constexpr value per framework, each in its own header,
// all in frameworks.cpp. Nothing here can fail; names are as the framework spells them.
#pragma once

#include "core/framework/words.h"

#include <optional>
#include <string_view>

namespace rankdeck {

// Value of the key "framework" of a job file; automatic: to be detected.
enum class Framework { automatic, mindspore, mindformers, pytorch, tensorflow, deepspeed, megatron, safetensors };

// A rank's number is trusted only if another variable is beside it.
struct RankRule {
    std::string_view rank;
    std::string_view beside;
};

// Variables from which ranks learn their number and their meeting point.
struct RankVariables {
    std::string_view role;       // role of a process; empty: the framework has no such variable
    std::string_view worker;     // the role of a rank
    std::string_view scheduler;  // … of the process that the ranks must meet
    RankRule byLauncher;         // the framework's own launcher
    RankRule byScript;           // hand-written launchers
    Words ofRank;                // of one process: never passed on to another launch
    Words ofJob;                 // equal for all ranks, set by the framework's own launcher
    Words worldSize;             // the first that is set counts
    Words masterHost, masterPort;
    Words nodeRank;
    Words telling;  // a process that has one of these may be a rank: requested with each process list
    Words watched;  // … and these for the display
};

// The program that starts the ranks of a node.
struct Launcher {
    std::string_view program;     // its process and its name on a command line; also the recipe that runs it
    std::string_view rankLog;     // form of a rank's log name; empty: none
    Words modules;                // python -m …
    Words ownOptions;             // set by the recipe itself, so never taken over from a command line
    Words switches;               // its options that take no value
    std::string_view marksRanks;  // marks its ranks even after the launcher has ended; empty: the launcher stays
    // If these are set, an option and its value are two arguments, never joined by '='.
    Words twoValues = {};  // its options that take two values
    // Its option that passes a variable on: NAME=VALUE, or NAME with its present value.
    std::string_view variableOption = {};
};

struct FrameworkInfo {
    std::optional<Framework> id;  // nullopt: cannot be named in a job file
    std::string_view name;        // as in job files and reports
    Words formats;                // of checkpoints that only this one writes (formatName())
    RankVariables variables;
    Launcher launcher;
    Words programs;               // prefixes of script names that prove the framework
    Words scripts;                // values of launch.script
    Words tracker;                // files that name the newest checkpoint
    std::string_view stopSwitch;  // variable that turns the graceful exit on ("1")
    bool ownsStopSwitch = false;  // the script sets that variable itself: its outer environment proves nothing
    bool torchStyle = false;      // its ranks get their place in torch.distributed's variables
    Words settings = {};          // its other variables, whose values are public; "NCCL_*" is a prefix
};

}  // namespace rankdeck
