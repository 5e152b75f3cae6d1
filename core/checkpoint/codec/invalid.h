// SPDX-License-Identifier: GPL-3.0-or-later
// Error for bytes that do not follow their format: one sentence, of kind invalid. Never throws.
#pragma once

#include "core/base/result.h"

#include <string>
#include <utility>

namespace rankdeck {

inline Error invalid(Message text) { return fail(ErrorKind::invalid, std::move(text)); }

}  // namespace rankdeck
