// SPDX-License-Identifier: GPL-3.0-or-later
// TensorFlow's checkpoints in a listing, by their prefix: V2 of .index and data shards, V1 whole or in shards, and what
// a save has not merged yet. Files of other names are none of it. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout tensorflowLayout;

}  // namespace rankdeck
