// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of scripts that save several models apart (component_names.h). The number of the save is in the names of the
// files, or in that of a folder for each save. Or each component has a folder of its own.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout componentsLayout;

}  // namespace rankdeck
