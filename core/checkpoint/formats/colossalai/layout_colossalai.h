// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of ColossalAI's booster: epoch0-step100/ with modeling/ and optimizer/ (shards and an index in each),
// lr_scheduler, and running_states.json. Ignores directories of another form.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout colossalLayout;

}  // namespace rankdeck
