// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as what acts work on: for what runs an act on a thread of its own beside the engine. Lives as long as the
// engine; one act at a time, which the caller sees to. Cannot fail.
#pragma once

#include "core/recover/actions.h"

namespace rankdeck {

class Engine;

ActionContext &actionContextOf(Engine &engine);

}  // namespace rankdeck
