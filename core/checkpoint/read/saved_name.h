// SPDX-License-Identifier: GPL-3.0-or-later
// Original names of torch archives: the folder within an archive has the name under which it was saved. If file names
// differ only in numbers, the original name reveals a file that was replaced by a copy of another. Pure functions that
// cannot fail; files without an original name give no result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct SavedFile {
    std::string path;
    std::string savedAs;  // folder within the archive; empty or "archive": unknown
};

// "step_200_gpu0": "step_#_gpu#".
std::string withoutNumbers(std::string_view text);

// The file's name without its last extension. Empty if it has no number, or if it was saved under a name that differs
// in more than numbers.
std::string numberedStem(const SavedFile &file);

// Indices of files that were saved under another number. They count only if numbers matter in these names. That is the
// case if another file still has its original name, or if the original name is that of an existing file.
std::vector<std::size_t> renamedAmong(const std::vector<SavedFile> &files);

}  // namespace rankdeck
