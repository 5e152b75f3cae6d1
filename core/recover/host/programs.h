// SPDX-License-Identifier: GPL-3.0-or-later
// Programs by their names in /proc (comm, at most 15 characters) that are seen around ranks and are none.
#pragma once

#include <string_view>

namespace rankdeck {

bool isFilterProgram(std::string_view comm);   // between a program and its log: sed, ts, rotatelogs
bool isWrapperProgram(std::string_view comm);  // around a program: bash, timeout, nsys
bool isUtility(std::string_view comm);         // beside it, for a moment or for a look: sleep, npu-smi

}  // namespace rankdeck
