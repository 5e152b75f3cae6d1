// SPDX-License-Identifier: GPL-3.0-or-later
// TensorFlow 1 and 2: no launcher of its own; hand-written ones set RANK_ID and RANK_SIZE, which MindSpore's data has.
#pragma once

#include "core/framework/framework_info.h"

namespace rankdeck::frameworks {

inline constexpr FrameworkInfo tensorflow{
    .id = Framework::tensorflow,
    .name = "tensorflow",
    .formats = {"tf-v1", "tf-v2"},
    .variables = {},
    .launcher = {},
    .programs = {},
    .scripts = {"tensorflow"},
    .tracker = {"checkpoint"},
    .stopSwitch = {},
    .ownsStopSwitch = false,
    .torchStyle = false,
    .settings = {"TF_CONFIG", "TF_CPP_*", "TF_GPU_*", "TF_FORCE_*", "TF_XLA_*", "TF_ENABLE_*", "TF_NUM_*"}};

}  // namespace rankdeck::frameworks
