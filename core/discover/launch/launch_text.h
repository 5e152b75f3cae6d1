// SPDX-License-Identifier: GPL-3.0-or-later
// What starts a job, as somebody has it at hand, made into the section "launch" of a job file: a command line (msrun …, torchrun …,
// mpirun …, srun …, python …), a batch script of Slurm, or a YAML with one vcjob of Volcano. Nothing is run, and no shell is
// imitated: what is not a plain command, export or cd is told as not taken. Pure.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct LaunchText {
    LaunchSpec launch = {};
    int ranks = 0;                        // that it starts; 0: it does not say
    std::vector<std::string> notes = {};  // what was not taken, and what to look at: sentences' ends
};
// Error invalid: there is no command in it, or no vcjob that can be taken; expected and found.
Result<LaunchText> launchOfText(const std::string &text);

// The text of a job file with these keys of its section "launch", all else as it was. Errors as of withValue().
Result<std::string> withLaunch(std::string_view text, const LaunchSpec &launch);

}  // namespace rankdeck
