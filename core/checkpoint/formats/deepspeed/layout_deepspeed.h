// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of DeepSpeed's tag directories, recognised by the files directly in them; includes everything below. Ignores
// all other directories. Pure.
#pragma once

#include "core/checkpoint/read/layouts.h"

namespace rankdeck {

extern const Layout deepspeedLayout;

}  // namespace rankdeck
