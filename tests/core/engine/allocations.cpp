// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/allocations.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t asked = 0;

}  // namespace

void *operator new(std::size_t bytes)
{
    ++asked;
    if (void *room = std::malloc(bytes == 0 ? 1 : bytes)) return room;
    throw std::bad_alloc();
}
void operator delete(void *room) noexcept { std::free(room); }
void operator delete(void *room, std::size_t) noexcept { std::free(room); }

std::size_t rankdeck::allocations() { return asked; }
