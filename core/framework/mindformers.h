// SPDX-License-Identifier: GPL-3.0-or-later
// MindFormers: based on MindSpore, with a YAML in place of a script.
#pragma once

#include "core/framework/mindspore.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo mindformers{.id = Framework::mindformers,
                                           .name = "mindformers",
                                           .formats = {},
                                           .variables = mindspore.variables,
                                           .launcher = mindspore.launcher,
                                           .programs = {"run_mindformer"},
                                           .scripts = {"mindformers"},
                                           .tracker = {},
                                           .stopSwitch = mindspore.stopSwitch,
                                           .ownsStopSwitch = true,
                                           .torchStyle = false};

}  // namespace rankdeck::frameworks
