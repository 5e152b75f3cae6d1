// SPDX-License-Identifier: GPL-3.0-or-later
// The rank × step matrix for a terminal: one line a set, one letter a rank, ranks grouped where they are many. Pure.
#pragma once

#include "core/verdict/verdict.h"

#include <string>

namespace rankdeck::ctl {

std::string stateLetter(MemberState state);
// "oooX.ooo" up to 64 ranks; above, the counts of each state and the ranks that are not ok.
std::string matrixRow(const CheckpointSet &set);
// columns: width of the terminal, for the reason at the end of a line; 0: not cut. explain: every reason, and of every
// cell that is not ok its own line.
// Unless every node was listed (complete), the absence of a set is unknown, and is never shown as a no.
std::string checkpointTable(const CheckpointReport &report, bool explain, std::size_t columns, bool complete = true);

}  // namespace rankdeck::ctl
