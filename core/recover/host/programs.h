// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that run around ranks but are not ranks, by their names in /proc (comm, at most 15 characters).
#pragma once

#include <string_view>

namespace rankdeck {

bool isFilterProgram(std::string_view comm);   // between a program and its log: sed, ts, rotatelogs
bool isWrapperProgram(std::string_view comm);  // around a program: bash, timeout, nsys
bool isUtility(std::string_view comm);         // beside it, only briefly: sleep, npu-smi

}  // namespace rankdeck
