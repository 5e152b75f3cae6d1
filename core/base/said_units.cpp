// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/said_units.h"

#include <atomic>

namespace rankdeck {
namespace {

std::atomic<bool> inUtc = false;
std::atomic<bool> inBinary = false;

}  // namespace

void sayTimesInUtc(bool on) { inUtc = on; }
bool timesAreInUtc() { return inUtc; }
void saySizesInBinary(bool on) { inBinary = on; }
bool sizesAreBinary() { return inBinary; }

}  // namespace rankdeck
