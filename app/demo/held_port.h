// SPDX-License-Identifier: GPL-3.0-or-later
// A reserved TCP port of this machine for a server that starts later, and again at each resume. While this object
// lives, no other demo cluster gets the port: the object holds an abstract Unix socket named after it. Movable;
// released when the process ends.
#pragma once

#include "core/base/result.h"

namespace rankdeck::demo {

class HeldPort {
public:
    // Error noSpace: no port of the range is free. Servers that start at once take their ports below that range.
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
