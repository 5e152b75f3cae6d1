// SPDX-License-Identifier: GPL-3.0-or-later
// Time zone and size units for all displayed texts of the program. Not for files and the JSON, which name their own.
// Nothing fails; any thread.
#pragma once

#include <cstdint>

namespace rankdeck {

void sayTimesInUtc(bool on);  // false: in the machine's zone
[[nodiscard]] bool timesAreInUtc();
void saySizesInBinary(bool on);  // 1 KiB = 1,024 bytes; false: 1 kB = 1,000
[[nodiscard]] bool sizesAreBinary();
struct ShownSize {
    double value = 0;
    const char *unit = "B";
    bool scaled = false;  // not in bytes: may have a fraction
};
[[nodiscard]] ShownSize shownSize(std::uint64_t bytes);  // in the unit in which people read it

}  // namespace rankdeck
