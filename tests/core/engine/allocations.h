// SPDX-License-Identifier: GPL-3.0-or-later
// How often this thread has asked for memory: the test program brings an operator new of its own that counts.
#pragma once

#include <cstddef>

namespace rankdeck {

std::size_t allocations();

}  // namespace rankdeck
