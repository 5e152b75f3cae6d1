// SPDX-License-Identifier: GPL-3.0-or-later
// Single values of a checkpoint as text, by the type names of all formats. Pure.
#pragma once

#include <string>
#include <string_view>

namespace rankdeck {

// Empty if the bytes are not exactly one value of the type.
std::string scalarText(std::string_view bytes, std::string_view type);
// True for names whose values show the step of a checkpoint.
bool isKnownScalar(std::string_view name);

}  // namespace rankdeck
