// SPDX-License-Identifier: GPL-3.0-or-later
// Original names of torch archives: the folder within an archive has the name under which it was saved. Among files
// whose names differ only in numbers, it reveals a copy that replaced another file. Pure functions that cannot fail;
// files without that name give no result.
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

// The file's name without its last extension. Empty if it has no number, or if it was saved under a name that differs in
// more than numbers.
std::string numberedStem(const SavedFile &file);

// Indices of files that were saved under another number. They count only if the files show that numbers matter. Either
// another file still has its original name, or the original name is that of a file beside it.
std::vector<std::size_t> renamedAmong(const std::vector<SavedFile> &files);

}  // namespace rankdeck
