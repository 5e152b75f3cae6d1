// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of copies by file times. Files that were copied without their times have the times of the copy. They follow
// each other at an even pace, with the mark of the save somewhere among them. If a new save was interrupted while it
// overwrote an older one, a pause separates the old files from the new ones. Pure.
#pragma once

#include <cstdint>
#include <vector>

namespace rankdeck {

// files: times of the files beside the mark, in nanoseconds. False if no even pace is visible.
bool looksCopied(std::vector<std::int64_t> files, std::int64_t mark);

}  // namespace rankdeck
