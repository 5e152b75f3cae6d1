// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of checkpoints of frameworks whose files are not read: flax, Keras, Paddle, torchsnapshot, arrays of zarr,
// exports. Recognised by their names, and shown as UNKNOWN with their likely kind: silence would mean "there is
// nothing".
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

// Used only if nothing else is known in the directory.
extern const Layout foreignLayout;

}  // namespace rankdeck
