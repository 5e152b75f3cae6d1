// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's tag directories in a listing, by the names of the files right in them, with all that is below. Any other
// directory is none of it. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout deepspeedLayout;

}  // namespace rankdeck
