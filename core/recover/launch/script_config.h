// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a training script's configuration file (launch.config) that set the checkpoint to load. One compare-and-swap
// edit with its diff for each copy of the file on the nodes. Pure, except readScriptConfigs, which reads all files at
// once until the deadline. Nothing is written.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/edit/yaml_edit.h"
#include "core/recover/findings.h"
#include "core/recover/flag/config_copies.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct ScriptConfig {  // one file of one node, and the settings that its ranks need in it
    ConfigCopy copy;
    std::vector<ConfigSetting> settings = {};
    std::string target = {};  // path of the edited text as a new file; empty: the file itself
};
struct ScriptConfigs {
    std::vector<ScriptConfig> files = {};
    std::optional<Finding> refused = {};  // if set, files is empty: the settings are impossible
};
// rank → its own copy of launch.config. Copies are needed if ranks that read the same file must load different
// checkpoints; the command of each rank then names its copy. Empty: no copies are needed, or the commands cannot name
// them.
std::map<int, std::string> configCopies(const RecipeInput &input, const std::vector<ConfigSetting> &settings);
ScriptConfigs wantedConfigs(const RecipeInput &input, const std::vector<ConfigSetting> &settings);
void readScriptConfigs(ActionContext &host, const JobState &view, ScriptConfigs &configs, SteadyTime deadline);

struct ConfigEdits {
    std::map<std::string, std::vector<FileEdit>> byNode = {};
    std::map<std::string, std::vector<FileActionRequest>> directories = {};  // node → steps; directories of new files
    std::vector<Finding> findings = {};
};
ConfigEdits scriptConfigEdits(const ScriptConfigs &configs);

}  // namespace rankdeck
