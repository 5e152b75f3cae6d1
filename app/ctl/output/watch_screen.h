// SPDX-License-Identifier: GPL-3.0-or-later
// A job on one screen of a terminal, for the live view of `watch`. Pure: makes lines that fit the terminal from a
// snapshot and the losses. Text from nodes is made printable. Never fails.
#pragma once

#include "app/ctl/output/columns.h"
#include "core/engine.h"

#include <string>
#include <vector>

namespace rankdeck::ctl {

// Median loss over the ranks, for each column of steps; NaN if a column has no finite loss.
std::vector<float> lossesOf(const Engine &engine, int columns);
std::string sparkline(const std::vector<float> &losses);  // "█▆▅▃▂▁"; a blank for NaN

struct Screen {
    TerminalSize size = {};
    bool colour = false;  // for alarms and ranks that died
};
std::vector<std::string> watchScreen(const Snapshot &snapshot, const std::vector<float> &losses, const Screen &screen);

}  // namespace rankdeck::ctl
