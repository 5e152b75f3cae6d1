// SPDX-License-Identifier: GPL-3.0-or-later
// torchtune's output: epoch_N with the weights as Hugging Face names them, and beside these one recipe_state.pt with the
// optimizer, which each save overwrites. So the newest epoch_N and the recipe's state are one checkpoint; the older ones
// are weights alone, and are left to the layout of exports. A folder of another form is none of it.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout torchtuneLayout;

}  // namespace rankdeck
