// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as acts see it, for the runner of an act on a separate thread. Lives as long as the engine; one act at a
// time, which the caller ensures. Cannot fail.
#pragma once

#include "core/recover/actions.h"

namespace rankdeck {

class Engine;

ActionContext &actionContextOf(Engine &engine);

}  // namespace rankdeck
