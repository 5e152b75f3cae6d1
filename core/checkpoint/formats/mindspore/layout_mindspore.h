// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout mindformersLayout;

}  // namespace rankdeck
