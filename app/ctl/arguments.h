// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of rankdeckctl: options and commands by CLI11, then the command itself. Returns the exit code. What
// cannot be understood is said on stderr and is 2.
#pragma once

namespace rankdeck::ctl {

int run(int argc, char **argv);

}  // namespace rankdeck::ctl
