// SPDX-License-Identifier: GPL-3.0-or-later
// Unified diff of an edit: the fewest changed lines, in hunks with three lines of context. If the text is very long,
// all changes are one hunk. Pure. The diff is valid even if a text has no final line end; it is empty if nothing
// changes.
#pragma once

#include <string>
#include <string_view>

namespace rankdeck {

std::string unifiedDiff(const std::string &path, std::string_view before, std::string_view after);

}  // namespace rankdeck
