// SPDX-License-Identifier: GPL-3.0-or-later
// Detects a command that starts all ranks of its node, although the recipe starts it once for each of them.
#include "core/base/text.h"
#include "core/framework/frameworks.h"
#include "core/job/launcher_words.h"
#include "core/recover/launch/command_script.h"
#include "core/recover/resume/checks/resume_checks.h"

#include <algorithm>

namespace rankdeck {

namespace {

// The launcher that the command names before any script: "torchrun", "accelerate".
std::string launcherIn(const std::vector<std::string> &command)
{
    const std::vector<std::string> words = wordsOfCommand(command);
    for (std::size_t i = 0; i < words.size() && i < 32; ++i) {
        const std::string name = baseName(words[i]);
        if (name.ends_with(".py")) break;
        if (startsRanks(name) || (i > 0 && words[i - 1] == "-m" && launcherOfModule(words[i]))) return words[i];
    }
    return {};
}

}  // namespace

void checkLaunchedTwice(Findings &into, const ResumeFacts &facts)
{
    const Job &job = facts.view.job;
    if (startsItsRanks(job) || job.ranks() < 2) return;
    std::string what = launcherIn(job.launch.command);
    for (const auto &[node, wrapper] : facts.programs.wrappers)
        if (what.empty() && wrapper.startsRanks) what = wrapper.path;
    if (what.empty()) return;
    const std::string recipe = job.launch.recipe.empty() ? "command" : job.launch.recipe;
    into.push_back(refusal("job_file",
                           message("%1 in launch.command starts all ranks of its node, but the recipe %2 would start "
                                   "it once for each of the %3 ranks",
                                   printable(what), printable(recipe), std::to_string(job.ranks())),
                           recipe == "volcano"
                               ? message("set \"per_pod\": true in launch.volcano, or write the command of one rank")
                               : message("run the command once per node (recipe \"command\" with \"per_node\": true), "
                                         "or write the command of one rank")));
}

}  // namespace rankdeck
