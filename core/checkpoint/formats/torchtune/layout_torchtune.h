// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of torchtune's output: epoch_N with the weights under Hugging Face's names, and beside them one
// recipe_state.pt with the optimizer, which each save overwrites. So the newest epoch_N and the recipe's state are one
// checkpoint. The older ones have only weights, and are left to the layout of exports. Ignores folders of another form.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout torchtuneLayout;

}  // namespace rankdeck
