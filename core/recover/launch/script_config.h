// SPDX-License-Identifier: GPL-3.0-or-later
// The edits of a training script's configuration file (launch.config) that tell it what to load: one per copy of the file
// on the nodes, as compare-and-swap with its diff. Pure but for readScriptConfigs, which reads the files, all at once, until
// the deadline; nothing is written.
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

struct ScriptConfig {  // one file of one node, and what its ranks shall find in it
    ConfigCopy copy;
    std::vector<ConfigSetting> settings = {};
};
struct ScriptConfigs {
    std::vector<ScriptConfig> files = {};
    std::optional<Finding> refused = {};  // then there are no files: what is wanted cannot be
};
ScriptConfigs wantedConfigs(const RecipeInput &input, const std::vector<ConfigSetting> &settings);
void readScriptConfigs(ActionContext &host, const JobState &view, ScriptConfigs &configs, SteadyTime deadline);

struct ConfigEdits {
    std::map<std::string, std::vector<FileEdit>> byNode = {};
    std::vector<Finding> findings = {};
};
ConfigEdits scriptConfigEdits(const ScriptConfigs &configs);

}  // namespace rankdeck
