// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of TensorFlow's checkpoints, by their prefix. V2 has .index and data shards, V1 is one file or shards; a save
// that is not merged yet is included. Ignores files of other names. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout tensorflowLayout;

}  // namespace rankdeck
