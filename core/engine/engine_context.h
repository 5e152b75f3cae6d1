// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as actions see it, for the runner of an action on a separate thread. Lives as long as the engine. The
// caller ensures that only one action runs at a time. Cannot fail.
#pragma once

#include "core/recover/actions.h"

namespace rankdeck {

class Engine;

ActionContext &actionContextOf(Engine &engine);

}  // namespace rankdeck
