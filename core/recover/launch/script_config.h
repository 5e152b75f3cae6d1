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
    std::string target = {};  // where the edited text goes as a new file; empty: the file itself
};
struct ScriptConfigs {
    std::vector<ScriptConfig> files = {};
    std::optional<Finding> refused = {};  // then there are no files: what is wanted cannot be
};
// rank → a copy of launch.config of its own, where ranks that read one file are to load different things and the command of
// each rank names it. Empty: none are needed, or the ranks cannot be told of them.
std::map<int, std::string> configCopies(const RecipeInput &input, const std::vector<ConfigSetting> &settings);
ScriptConfigs wantedConfigs(const RecipeInput &input, const std::vector<ConfigSetting> &settings);
void readScriptConfigs(ActionContext &host, const JobState &view, ScriptConfigs &configs, SteadyTime deadline);

struct ConfigEdits {
    std::map<std::string, std::vector<FileEdit>> byNode = {};
    std::map<std::string, std::vector<FileActionRequest>> directories = {};  // by node; of new files
    std::vector<Finding> findings = {};
};
ConfigEdits scriptConfigEdits(const ScriptConfigs &configs);

}  // namespace rankdeck
