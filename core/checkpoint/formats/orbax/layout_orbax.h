// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of Orbax in a listing. Where its siblings have commit_success.txt, one without it was never finished. Any other
// directory is none of it. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout orbaxLayout;

}  // namespace rankdeck
