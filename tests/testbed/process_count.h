// SPDX-License-Identifier: GPL-3.0-or-later
// Which processes of this machine carry a mark, to prove that nothing is left behind. The mark is one "NAME=value" of the
// environment, as it is inherited by whatever is started; zombies do not count.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace rankdeck {

std::vector<int> processesWithEnvironment(const std::string &mark);
// pid and all processes under it by parent, deepest first.
std::vector<int> processTree(int pid);
std::string commandLine(int pid);  // arguments joined by blanks
// True as soon as `reached` is true; false when that did not come about in time. For waiting only: assert the result.
bool eventually(const std::function<bool()> &reached, std::chrono::milliseconds atMost = std::chrono::seconds(60));

}  // namespace rankdeck
