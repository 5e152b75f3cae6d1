// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of Megatron's iterations: legacy folders per rank, torch_dist, LayerZeRO's files, NeMo's weights/ and context/
// as one. Directories such as iter_100, which no run looks for, keep their name and have no step. Ignores all other
// directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout megatronLayout;

}  // namespace rankdeck
