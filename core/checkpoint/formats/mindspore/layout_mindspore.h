// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of MindFormers' iteration directories, recognised by their own name and their files' names. MindSpore's single
// .ckpt files are not composites. Ignores all other directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout mindformersLayout;

}  // namespace rankdeck
