// SPDX-License-Identifier: GPL-3.0-or-later
// Number of allocations that this thread has made: the test program replaces operator new by a version that counts.
#pragma once

#include <cstddef>

namespace rankdeck {

std::size_t allocations();

}  // namespace rankdeck
