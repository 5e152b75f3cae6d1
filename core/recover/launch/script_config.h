// SPDX-License-Identifier: GPL-3.0-or-later
// The edits of a training script's configuration file (launch.config) that tell it what to load: one per copy of the file
// on the nodes, as compare-and-swap with its diff. Reads the files, all at once, until the deadline; writes nothing.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/edit/yaml_edit.h"
#include "core/recover/findings.h"
#include "core/recover/launch/recipe.h"
#include "core/recover/plan.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct ConfigEdits {
    std::map<std::string, std::vector<FileEdit>> byNode = {};
    std::vector<Finding> findings = {};
};
ConfigEdits planConfigEdits(ActionContext &host, const RecipeInput &input, const std::vector<ConfigSetting> &settings,
                            SteadyTime deadline);

}  // namespace rankdeck
