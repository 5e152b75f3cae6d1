// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of rankdeckctl: CLI11 parses options and commands, then the chosen command runs. Returns its exit
// code. A usage error is reported on stderr and returns 2.
#pragma once

namespace rankdeck::ctl {

int run(int argc, char **argv);

}  // namespace rankdeck::ctl
