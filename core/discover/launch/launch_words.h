// SPDX-License-Identifier: GPL-3.0-or-later
// What of an environment belongs to the job, and the option of a script that takes a checkpoint. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct ChosenEnvironment {
    std::map<std::string, std::string> job = {};
    std::vector<std::string> secrets = {};  // names that were left out
};
// What differs from the login's environment, without the shell's own, what is of one rank, and secrets. ownLauncher: msrun
// or torchrun will tell the ranks where they meet.
ChosenEnvironment chooseEnvironment(const std::map<std::string, std::string> &process,
                                    const std::map<std::string, std::string> &login, bool ownLauncher);

// The option of a program that takes the checkpoint to load, looked for in its text ("--resume"); empty: none.
std::string resumeOptionIn(const std::string &programText);
bool isResumeOption(const std::string &word);

}  // namespace rankdeck
