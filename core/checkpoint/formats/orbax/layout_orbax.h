// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of Orbax's steps. If sibling steps have commit_success.txt, a step without it was never finished. Ignores all
// other directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout orbaxLayout;

}  // namespace rankdeck
