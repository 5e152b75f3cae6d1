// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of frameworks whose files are not read: flax, Keras, Paddle, torchsnapshot, arrays of zarr, exports. They are
// told by their names, as what they look like, and are UNKNOWN: silence would read as "there is nothing".
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

// Asked only where nothing else is known in the directory.
extern const Layout foreignLayout;

}  // namespace rankdeck
