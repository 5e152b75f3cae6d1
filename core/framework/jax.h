// SPDX-License-Identifier: GPL-3.0-or-later
// JAX with Orbax, or with arrays in NumPy's archives: its checkpoints are judged; a job file cannot name it yet.
#pragma once

#include "core/framework/framework_info.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo jax{.id = std::nullopt,
                                   .name = "jax",
                                   .formats = {"orbax", "npz", "flax"},
                                   .variables = {},
                                   .launcher = {},
                                   .programs = {},
                                   .scripts = {},
                                   .tracker = {},
                                   .stopSwitch = {},
                                   .ownsStopSwitch = false,
                                   .torchStyle = false,
                                   .settings = {"JAX_*", "XLA_*"}};

}  // namespace rankdeck::frameworks
