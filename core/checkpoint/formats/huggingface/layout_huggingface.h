// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of directories of the Hugging Face stack: checkpoint-N of the Trainer, Accelerate's states, and exports, which
// contain only weights. Ignores all other directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout huggingFaceLayout;

}  // namespace rankdeck
