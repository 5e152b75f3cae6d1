// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of PyTorch's distributed checkpoints: directories with .metadata or .distcp files, and directories of several
// such ones (model/, optimizer/). Ignores all other directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout dcpLayout;

}  // namespace rankdeck
