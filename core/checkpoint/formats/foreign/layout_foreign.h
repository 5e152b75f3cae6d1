// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of checkpoints whose files no reader knows: flax, Keras, Paddle, torchsnapshot, arrays of zarr, exports. They
// are recognised by their names and shown as UNKNOWN with their likely kind, because showing nothing would mean that
// there is no checkpoint.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

// Used only if no other layout recognises anything in the directory.
extern const Layout foreignLayout;

}  // namespace rankdeck
