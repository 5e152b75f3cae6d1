// SPDX-License-Identifier: GPL-3.0-or-later
// A torch archive keeps the name under which it was saved: the folder within it. Among files that are named alike but for
// their numbers it tells a copy that stands in another one's place. Pure functions that cannot fail; of files that say
// nothing, nothing is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct SavedFile {
    std::string path;
    std::string savedAs;  // the folder within the archive; empty or "archive": it does not say
};

// "step_200_gpu0": "step_#_gpu#".
std::string withoutNumbers(std::string_view text);

// The indices of those that were saved under the name of another number, where the others or one of them show that the
// numbers count: another file still has its name, or the name is that of a file beside it.
std::vector<std::size_t> renamedAmong(const std::vector<SavedFile> &files);

}  // namespace rankdeck
