// SPDX-License-Identifier: GPL-3.0-or-later
// How a kind of training script is told what to load, whoever starts it: arguments, keys of its configuration file,
// environment. Also the variables that MindSpore needs for what the job wants. Pure.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/edit/yaml_edit.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"

#include <string>
#include <vector>

namespace rankdeck {

struct AdaptedScript {
    Job job;                                   // with the arguments and the environment completed
    std::vector<ConfigSetting> settings = {};  // for launch.config; values may hold placeholders
    std::vector<Finding> findings = {};
    bool switchedOn = false;       // --resume=true, which names no file: where the script finds one, its own text says
    bool takesNewest = false;      // it looks into the checkpoint directory itself: what is newer there must go aside
    bool namesCheckpoint = false;  // some argument, variable or setting names {checkpoint} or {checkpoint_dir}
    bool usesView = false;         // … {checkpoint_dir}
};
AdaptedScript adaptScript(const Job &job, const CheckpointSet &set);

// The value of "--name=…" or "--name …" in a command, put there or replaced.
void setArgument(std::vector<std::string> &command, const std::string &name, const std::string &value);
// MS_ENABLE_TFT as MindSpore reads it ("{TTP:1,UCE:1,ARF:1}"): no blanks, and in the order that its start-up compares
// with. Error invalid for modes that exclude each other.
Result<std::string> faultToleranceText(const std::vector<std::string> &modes);

}  // namespace rankdeck
