// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors without a known framework: any kind of log line.
#pragma once

#include "core/framework/framework_info.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo safetensors{.id = Framework::safetensors,
                                           .name = "safetensors",
                                           .formats = {},
                                           .variables = {},
                                           .launcher = {},
                                           .programs = {},
                                           .scripts = {},
                                           .tracker = {},
                                           .stopSwitch = {},
                                           .ownsStopSwitch = false,
                                           .torchStyle = false};

}  // namespace rankdeck::frameworks
