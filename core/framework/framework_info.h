// SPDX-License-Identifier: GPL-3.0-or-later
// What Rankdeck knows about a training framework, as data: one constexpr value per framework, each in a header of its
// own, all in frameworks.cpp. Nothing here can fail; names are as the framework spells them.
#pragma once

#include "core/framework/words.h"

#include <optional>
#include <string_view>

namespace rankdeck {

// As the key "framework" of a job file says it; automatic: found out.
enum class Framework { automatic, mindspore, mindformers, pytorch, tensorflow, deepspeed, megatron, safetensors };

// A rank's number is believed only where another variable stands beside it.
struct RankRule {
    std::string_view rank;
    std::string_view beside;
};

// The environment by which ranks are told who they are and where they meet.
struct RankVariables {
    std::string_view role;       // says what a process is; empty: the framework has no such variable
    std::string_view worker;     // the role of a rank
    std::string_view scheduler;  // … of the process where the ranks meet
    RankRule byLauncher;         // the framework's own launcher
    RankRule byScript;           // hand-written launchers
    Words ofRank;                // of one process: never handed on to another launch
    Words ofJob;                 // the same for all ranks, told by the framework's own launcher
    Words worldSize;             // the first that is set counts
    Words masterHost, masterPort;
    Words nodeRank;
    Words telling;  // a process that has one of these may be a rank: asked for at each look at the processes
    Words watched;  // … and these for what is shown of it
};

// The program that starts the ranks of a node.
struct Launcher {
    std::string_view program;     // its process and its word on a command line; also the recipe that runs it
    std::string_view rankLog;     // how it names a rank's log; empty: it does not
    Words modules;                // python -m …
    Words ownOptions;             // told by the recipe itself, so never taken over from a command line
    Words switches;               // its options that take no value
    std::string_view marksRanks;  // a variable of its ranks: told also when it has ended; empty: it stays
    // Where these are set, an option and its value are two words, never joined by '='.
    Words twoValues = {};                  // its options that take two values
    std::string_view variableOption = {};  // its option that hands a variable on: NAME=VALUE, or NAME as it is there
};

struct FrameworkInfo {
    std::optional<Framework> id;  // nullopt: cannot be named in a job file
    std::string_view name;        // as in job files and reports
    Words formats;                // of checkpoints that only this one writes (formatName())
    RankVariables variables;
    Launcher launcher;
    Words programs;               // beginnings of script names that prove the framework
    Words scripts;                // values of launch.script
    Words tracker;                // files that name the newest checkpoint
    std::string_view stopSwitch;  // variable that turns the graceful exit on ("1")
    bool ownsStopSwitch = false;  // the script sets that variable itself: its environment from outside says nothing
    bool torchStyle = false;      // its ranks are told their place as torch.distributed reads it
    Words settings = {};          // its other variables, whose values are public; "NCCL_*" is a prefix
};

}  // namespace rankdeck
