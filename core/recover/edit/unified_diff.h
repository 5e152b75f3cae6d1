// SPDX-License-Identifier: GPL-3.0-or-later
// Unified diff of an edit: the fewest changed lines, in hunks with three lines of context. A very long change is one
// hunk from the first changed line to the last. Pure. The diff is valid even if a text has no final line end; it is
// empty when nothing changes.
#pragma once

#include <string>
#include <string_view>

namespace rankdeck {

std::string unifiedDiff(const std::string &path, std::string_view before, std::string_view after);

}  // namespace rankdeck
