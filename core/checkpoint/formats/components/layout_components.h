// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of scripts that save several models separately (component_names.h). The number of the save is in the file
// names, or in the name of a folder per save. Or each component has its own folder.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout componentsLayout;

}  // namespace rankdeck
