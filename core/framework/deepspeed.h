// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed: PyTorch's launcher and variables, but its own checkpoints.
#pragma once

#include "core/framework/pytorch.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo deepspeed{.id = Framework::deepspeed,
                                         .name = "deepspeed",
                                         .formats = {"deepspeed"},
                                         .variables = pytorch.variables,
                                         .launcher = pytorch.launcher,
                                         .programs = {},
                                         .scripts = {},
                                         .tracker = {"latest", "latest_universal"},
                                         .stopSwitch = {},
                                         .ownsStopSwitch = false,
                                         .torchStyle = true};

}  // namespace rankdeck::frameworks
