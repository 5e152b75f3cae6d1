// SPDX-License-Identifier: GPL-3.0-or-later
// ColossalAI's booster: epoch0-step100/ with modeling/ and optimizer/, each shards and an index of them, lr_scheduler, and
// running_states.json. A directory of another form is none of it.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout colossalLayout;

}  // namespace rankdeck
