// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of copies by file times. Files copied without their times have those of the copy. They follow each other at
// an even pace, with the mark of the save somewhere among them. A save that was cut off over an older one leaves a
// pause: all of the old save, then the new files. Pure.
#pragma once

#include <cstdint>
#include <vector>

namespace rankdeck {

// files: times of the files beside the mark, in nanoseconds. False if no even pace is visible.
bool looksCopied(std::vector<std::int64_t> files, std::int64_t mark);

}  // namespace rankdeck
