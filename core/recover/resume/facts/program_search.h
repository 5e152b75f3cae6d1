// SPDX-License-Identifier: GPL-3.0-or-later
// Search for the programs of a launch and of its workers, in the places that the launch itself will use. A path is
// checked as it is. A name is searched in the PATH of the launch's environment, otherwise in the PATH of the login.
// Blocks until the deadline. Only programs that are certainly nowhere count as missing; unanswered questions do not.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/launch/recipe.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

struct MissingProgram {  // one of LaunchPlan::programs
    std::string node;
    std::string program;
    std::vector<std::string> searched = {};
};
struct WrapperFacts {  // a shell script that the command starts, as it was read
    std::string path = {};
    bool handsOn = false;      // it passes its arguments on, and so do all scripts between it and the training
    bool startsRanks = false;  // it, or a script that it starts, starts all ranks of its node
    bool saysItself = false;   // it sets --pre_trained, and its own arguments do not come after that
};
struct ProgramFacts {
    std::set<std::string> nodesWithoutProgram = {};                 // node names; the program is the plan's argv[0]
    std::map<std::string, std::vector<std::string>> searched = {};  // node → directories that were searched
    std::map<std::string, std::string> workerMissing = {};          // node → missing interpreter
    std::map<std::string, std::string> scriptMissing = {};          // node → missing script
    // Node → version of the Python that loads the set, taken from its file name.
    std::map<std::string, std::string> pythonVersions = {};
    std::map<std::string, std::string> scriptTexts = {};     // node → the training scripts, as far as they were read
    std::map<std::string, WrapperFacts> wrappers = {};       // node → the first wrapper script
    std::map<std::string, std::string> wrapperTexts = {};    // node → all wrapper scripts that were read
    std::map<std::string, std::string> unreadWrappers = {};  // node → path of the first unreadable wrapper
    std::vector<MissingProgram> missing = {};
    // node → the first program or script that may be missing, because not all places answered
    std::map<std::string, std::string> unknown = {};
    // node → where MindIO's mindio_ttp was searched, for nodes whose interpreter certainly lacks it; only with
    // MS_ENABLE_TFT.
    std::map<std::string, std::string> withoutMindio = {};
};
ProgramFacts findPrograms(ActionContext &host, const Job &job, const LaunchPlan &launch, SteadyTime deadline);

}  // namespace rankdeck
