// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit changes, as people read it: the fewest lines, in hunks with three lines of context (of very
// long changes one hunk from the first to the last).
// Pure; a valid unified diff, also for texts without a last line end. Empty when nothing changes.
#pragma once

#include <string>
#include <string_view>

namespace rankdeck {

std::string unifiedDiff(const std::string &path, std::string_view before, std::string_view after);

}  // namespace rankdeck
