// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that give each kind of training script the checkpoint to load, for all recipes: arguments, keys of its
// configuration file, environment. Also the variables that MindSpore needs for the job's settings. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/edit/yaml_edit.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"

#include <string>
#include <vector>

namespace rankdeck {

struct AdaptedScript {
    Job job;                                   // the job with completed arguments and environment
    std::vector<ConfigSetting> settings = {};  // for launch.config; values may contain placeholders
    std::vector<Finding> findings = {};
    bool switchedOn = false;       // --resume=true, which names no file; the script's text shows where it searches
    bool takesNewest = false;      // it searches the checkpoint directory: newer files there must be renamed
    bool namesCheckpoint = false;  // some argument, variable or setting names {checkpoint} or {checkpoint_dir}
    bool usesView = false;         // some argument, variable or setting names {checkpoint_dir}
};
AdaptedScript adaptScript(const Job &job, const CheckpointSet &set);

// Sets the value of "--name=…" or "--name …" in a command: adds or replaces it.
void setArgument(std::vector<std::string> &command, const std::string &name, const std::string &value);
// MS_ENABLE_TFT in the form that MindSpore reads ("{TTP:1,UCE:1,ARF:1}"): no blanks, in the order that its start-up
// expects. Error invalid for modes that exclude each other.
Result<std::string> faultToleranceText(const std::vector<std::string> &modes);

}  // namespace rankdeck
