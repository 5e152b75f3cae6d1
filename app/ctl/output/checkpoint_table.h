// SPDX-License-Identifier: GPL-3.0-or-later
// The rank × step matrix for a terminal: one line per set, one letter per rank; many ranks are grouped. Pure.
#pragma once

#include "core/verdict/verdict.h"

#include <string>

namespace rankdeck::ctl {

std::string stateLetter(MemberState state);
// "oooX.ooo" for up to 64 ranks. For more: the counts of each state and the ranks that are not ok.
std::string matrixRow(const CheckpointSet &set);
// columns: width of the terminal, used to cut the reason at the end of a line; 0: do not cut. With explain, all reasons
// are shown, and one line for each cell that is not ok. If not all nodes were listed (complete is false), a missing set
// is shown as unknown, never as "no".
std::string checkpointTable(const CheckpointReport &report, bool explain, std::size_t columns, bool complete = true);

}  // namespace rankdeck::ctl
