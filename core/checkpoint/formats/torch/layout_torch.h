// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of directories in which each rank has a file for the model and another file for the rest of its state. A
// step's folder that contains several such directories (actor/, critic/) is one checkpoint. Ignores all other
// directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout rankFilesLayout;

}  // namespace rankdeck
