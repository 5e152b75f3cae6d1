// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-LM and related frameworks: PyTorch's launcher and variables, but their own checkpoints.
#pragma once

#include "core/framework/pytorch.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo megatron{.id = Framework::megatron,
                                        .name = "megatron",
                                        .formats = {"megatron"},
                                        .variables = pytorch.variables,
                                        .launcher = pytorch.launcher,
                                        .programs = {},
                                        .scripts = {},
                                        .tracker = {"latest_checkpointed_iteration.txt"},
                                        .stopSwitch = {},
                                        .ownsStopSwitch = false,
                                        .torchStyle = true};

}  // namespace rankdeck::frameworks
