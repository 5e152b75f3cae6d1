// SPDX-License-Identifier: GPL-3.0-or-later
// MindFormers' iteration directories in a listing, by their own name and those of their files. MindSpore's single .ckpt
// are no composites. Any other directory is none of it. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout mindformersLayout;

}  // namespace rankdeck
