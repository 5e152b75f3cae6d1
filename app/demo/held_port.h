// SPDX-License-Identifier: GPL-3.0-or-later
// A TCP port of this machine for a server that starts later, and again at each resume. While this object lives, no other
// demo cluster gets the port: an abstract Unix socket of its number is held. Movable; ends with the process.
#pragma once

#include "core/base/result.h"

namespace rankdeck::demo {

class HeldPort {
public:
    // Error noSpace: none of its range is free. Servers that start at once take their ports below that range.
    static Result<HeldPort> take();
    HeldPort(HeldPort &&other) noexcept;
    HeldPort &operator=(HeldPort &&other) noexcept;
    ~HeldPort();
    [[nodiscard]] int number() const { return m_number; }

private:
    HeldPort(int number, int lock) : m_number(number), m_lock(lock) {}
    int m_number = 0;
    int m_lock = -1;
};

}  // namespace rankdeck::demo
