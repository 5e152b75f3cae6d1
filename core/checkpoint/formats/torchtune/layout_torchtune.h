// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of torchtune's output: epoch_N with the weights under Hugging Face's names, and beside these folders one
// recipe_state.pt with the optimizer, which each save overwrites. Therefore the newest epoch_N and recipe_state.pt are
// one checkpoint. The older epochs have only weights, and the layout of exports takes them. Ignores folders of another
// form.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout torchtuneLayout;

}  // namespace rankdeck
