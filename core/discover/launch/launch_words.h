// SPDX-License-Identifier: GPL-3.0-or-later
// The variables of an environment that belong to the job, and the option of a script that takes a checkpoint. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct ChosenEnvironment {
    std::map<std::string, std::string> job = {};
    std::vector<std::string> secrets = {};  // names that were left out
};
// The variables that differ from the login's environment and are needed to start the job again. A framework or a launcher
// defines them, or the script names them. Variables of the shell and of one rank are left out. Secrets are named, and never
// copied. ownLauncher: msrun or torchrun gives the ranks the address of their meeting point.
ChosenEnvironment chooseEnvironment(const std::map<std::string, std::string> &process,
                                    const std::map<std::string, std::string> &login, bool ownLauncher,
                                    const std::string &script);

// The option of a program that takes the checkpoint to load, found in its text ("--resume"); empty: none.
std::string resumeOptionIn(const std::string &programText);
bool isResumeOption(const std::string &word);

}  // namespace rankdeck
