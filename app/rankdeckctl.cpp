// SPDX-License-Identifier: GPL-3.0-or-later
// The command-line program: the same core as the window, for scripts and login nodes.
#include "app/ctl/arguments.h"

int main(int argc, char **argv) { return rankdeck::ctl::run(argc, argv); }
