// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron's iterations in a listing: legacy folders per rank, torch_dist, LayerZeRO's files, NeMo's weights/ and
// context/ as one. iter_100, which no run looks for, keeps its name and has no step. Any other directory is none of it.
// Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout megatronLayout;

}  // namespace rankdeck
