// SPDX-License-Identifier: GPL-3.0-or-later
// Options for reaching a machine, in addition to those of the job file. Values; nothing here fails.
#pragma once

#include <string>

namespace rankdeck {

struct ConnectOptions {
    std::string sshConfig = {};  // ssh -F; empty: the user's own
    std::string sshProgram = "ssh";
    bool acceptNewHostKeys = false;
    bool interactive = false;      // false: instead of a question, `refused` with the exact command to run
    std::string probeSource = {};  // text of the probe; empty: the built-in copy
};

}  // namespace rankdeck
