// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the processes of this machine with a mark in their environment, to prove that none is left. The mark is one
// "NAME=value", which child processes inherit; zombies do not count.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace rankdeck {

std::vector<int> processesWithEnvironment(const std::string &mark);
// pid and all its descendants, deepest first.
std::vector<int> processTree(int pid);
std::string commandLine(int pid);  // arguments joined by blanks
// True as soon as `reached` is true; false if that did not happen in time. Only waits: the caller must assert the
// result.
bool eventually(const std::function<bool()> &reached, std::chrono::milliseconds atMost = std::chrono::seconds(60));

}  // namespace rankdeck
