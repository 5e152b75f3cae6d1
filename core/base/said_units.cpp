// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/said_units.h"

#include <atomic>
#include <iterator>

namespace rankdeck {
namespace {

std::atomic<bool> inUtc = false;
std::atomic<bool> inBinary = false;

}  // namespace

void sayTimesInUtc(bool on) { inUtc = on; }
bool timesAreInUtc() { return inUtc; }
void saySizesInBinary(bool on) { inBinary = on; }
bool sizesAreBinary() { return inBinary; }

ShownSize shownSize(std::uint64_t bytes)
{
    static const char *const decimal[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    static const char *const powers[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    const bool binary = sizesAreBinary();
    const auto &units = binary ? powers : decimal;
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= (binary ? 1023.5 : 999.5) && unit + 1 < std::size(units)) {
        value /= binary ? 1024 : 1000;
        ++unit;
    }
    return {.value = value, .unit = units[unit], .scaled = unit > 0};
}

}  // namespace rankdeck
