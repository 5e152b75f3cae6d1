// SPDX-License-Identifier: GPL-3.0-or-later
// Files that were copied without their times have those of the copy, one after the other at an even pace, the mark of the
// save somewhere among them. A save that was cut off over an older one leaves a pause: all of the old save, then the new
// files. Pure.
#pragma once

#include <cstdint>
#include <vector>

namespace rankdeck {

// files: times of the files beside the mark, in nanoseconds. False where there is no pace to see.
bool looksCopied(std::vector<std::int64_t> files, std::int64_t mark);

}  // namespace rankdeck
