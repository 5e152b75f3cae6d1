// SPDX-License-Identifier: GPL-3.0-or-later
// MindIO's controller of a protected job (MS_ENABLE_TFT). Finds its port in MS_TFT_PORT or in TFTRegister of the
// script, and checks whether a process listens on it now. Asks one node; blocks until the deadline.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"

#include <map>
#include <string>

namespace rankdeck {

struct FaultController {
    int port = 0;           // 0: no controller, or port unknown
    std::string node = {};  // node of the controller's rank
    std::string by = {};    // "MS_TFT_PORT", "TFTRegister of the script"
    Known busy = {};
};
// scripts: node → text
FaultController readController(ActionContext &host, const JobState &view,
                               const std::map<std::string, std::string> &scripts, SteadyTime deadline);

}  // namespace rankdeck
