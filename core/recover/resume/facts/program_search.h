// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the programs of a launch and what its workers run are there, the way the launch itself will look for them: a path
// as it is, a name in the PATH of the launch's environment, else in that of the login. Blocks until the deadline; only
// "surely nowhere" is missing, what was not answered is not.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/launch/recipe.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

struct MissingProgram {  // of LaunchPlan::programs
    std::string node;
    std::string program;
    std::vector<std::string> searched = {};
};
struct WrapperFacts {  // a shell script that the command starts, as it was read
    std::string path = {};
    bool handsOn = false;      // it uses its arguments, and so do the scripts through which it starts the training
    bool startsRanks = false;  // it, or a script that it starts, starts all ranks of its node
    bool saysItself = false;   // it names --pre_trained, and its own arguments do not come behind that
};
struct ProgramFacts {
    std::set<std::string> nodesWithoutProgram = {};                 // node names; the program is the plan's argv[0]
    std::map<std::string, std::vector<std::string>> searched = {};  // node → where it was looked for
    std::map<std::string, std::string> workerMissing = {};          // node → interpreter that is not there
    std::map<std::string, std::string> scriptMissing = {};          // node → script that is not there
    std::map<std::string, std::string> pythonVersions = {};         // node → of what loads, as its file is named
    std::map<std::string, std::string> scriptTexts = {};     // node → the training scripts, as far as they were read
    std::map<std::string, WrapperFacts> wrappers = {};       // node → the first one
    std::map<std::string, std::string> wrapperTexts = {};    // node → all that were read
    std::map<std::string, std::string> unreadWrappers = {};  // node → path of the first one, which could not be read
    std::vector<MissingProgram> missing = {};
    // node → the first program or script of which it is not known whether it is there: not all places answered
    std::map<std::string, std::string> unknown = {};
    // node → where MindIO's mindio_ttp was looked for, of nodes whose interpreter surely has none; with MS_ENABLE_TFT only.
    std::map<std::string, std::string> withoutMindio = {};
};
ProgramFacts findPrograms(ActionContext &host, const Job &job, const LaunchPlan &launch, SteadyTime deadline);

}  // namespace rankdeck
