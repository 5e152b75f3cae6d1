// SPDX-License-Identifier: GPL-3.0-or-later
// The probe's source text, joined from core/node/probe by the build. Cannot fail.
#pragma once

#include <string>

namespace rankdeck {

std::string builtInProbe();

}  // namespace rankdeck
