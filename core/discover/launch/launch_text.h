// SPDX-License-Identifier: GPL-3.0-or-later
// Converter from a user's start command to the section "launch" of a job file. Accepts a command line (msrun …,
// torchrun …, mpirun …, srun …, python …), a batch script of Slurm, or a YAML with one vcjob of Volcano. Nothing is
// run, and no shell is emulated. Anything except a plain command, export or cd is reported as not taken. Pure.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct LaunchText {
    LaunchSpec launch = {};
    int ranks = 0;                    // that it starts; 0: unknown
    std::vector<Message> notes = {};  // what was not taken, and what to check: ends of sentences
};
// Error invalid: there is no command in it, or no vcjob that can be taken; expected and found.
Result<LaunchText> launchOfText(const std::string &text);

// The text of a job file with these keys of its section "launch"; the rest is unchanged. Errors as of withValue().
Result<std::string> withLaunch(std::string_view text, const LaunchSpec &launch);

}  // namespace rankdeck
