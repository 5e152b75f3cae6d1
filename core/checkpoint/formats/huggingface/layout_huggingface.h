// SPDX-License-Identifier: GPL-3.0-or-later
// Directories of the Hugging Face stack in a listing: checkpoint-N of the Trainer, Accelerate's states, and exports,
// which are weights alone. Any other directory is none of it. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout huggingFaceLayout;

}  // namespace rankdeck
