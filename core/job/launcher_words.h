// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of a command that begins with a launcher (msrun, torchrun, python -m torch.distributed.run, mpirun, srun):
// its own options, and the command after them. Pure.
#pragma once

#include "core/job/job.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankdeck {

struct LauncherWords {
    std::string program;  // "msrun", or its path
    std::string kind;     // "msrun" | "torchrun" | "mpirun": the recipe
    // As written, without the dashes; two values are joined with a space.
    std::vector<std::pair<std::string, std::string>> options = {};
    std::vector<std::string> command = {};
    std::vector<std::string> before = {};  // arguments before it: "env", "A=1", "numactl", "-N", "0"

    [[nodiscard]] std::optional<std::string> option(const std::string &name) const;  // the first of that name
};
// nullopt: argv does not begin with the launcher of a framework, or with programs that only start it.
std::optional<LauncherWords> launcherWords(const std::vector<std::string> &argv);

// Whether a program of this name, without its directory, starts the ranks of its node or of all nodes.
bool startsRanks(std::string_view program);

// Whether the command is known to start all ranks of its node, without being a launcher that has a recipe. These are
// accelerate, deepspeed, and the wrappers of MindSpore's model zoo, MindX DL and MindFormers (run_distribute_train.sh,
// train_start.sh, msrun_launcher.sh).
bool startsRanksItself(const std::vector<std::string> &command);

// Adopts a launch whose command was pasted with its launcher. Recipe, address, port and further options are taken over.
// Options that the recipe sets itself are dropped, and the command is the rest. Returns notes for the operator; empty:
// the command does not begin with a launcher. A recipe that starts something else stays, with a note.
std::vector<Message> adoptLauncher(LaunchSpec &launch, int ranks);

}  // namespace rankdeck
