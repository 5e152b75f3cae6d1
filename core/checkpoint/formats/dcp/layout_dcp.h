// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch's distributed checkpoints in a listing: directories with .metadata or .distcp files, and those that hold
// several of them (model/, optimizer/). Any other directory is none of it. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout dcpLayout;

}  // namespace rankdeck
