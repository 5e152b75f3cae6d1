// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of directories in which each rank has a file for the model and one for another half. A step's folder over
// several of them (actor/, critic/) is one checkpoint. Ignores all other directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout rankFilesLayout;

}  // namespace rankdeck
