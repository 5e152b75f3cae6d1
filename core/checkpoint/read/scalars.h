// SPDX-License-Identifier: GPL-3.0-or-later
// Single values of a checkpoint as text, by the type names of all formats. Pure.
#pragma once

#include <string>
#include <string_view>

namespace rankdeck {

// Empty when the bytes are not exactly one value of the type.
std::string scalarText(std::string_view bytes, std::string_view type);
// The names whose values say where in the training a checkpoint was made.
bool isKnownScalar(std::string_view name);

}  // namespace rankdeck
