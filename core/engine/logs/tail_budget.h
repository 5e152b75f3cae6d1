// SPDX-License-Identifier: GPL-3.0-or-later
// Limit on the bytes of logs that wait for the engine. If a node sends faster than the engine parses, it is not read
// for a while. Therefore a flood fills the memory of the node and not of the console. Any thread.
#pragma once

#include "core/base/clock.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace rankdeck {

class TailBudget {
public:
    explicit TailBudget(std::size_t most) : m_most(most) {}

    // Waits until there is room, at most for the given patience, and not after the budget was closed. The bytes count
    // in any case. False: there was no room. A piece larger than the whole budget waits until nothing else is there.
    bool take(std::size_t bytes, std::chrono::milliseconds patience)
    {
        std::unique_lock lock(m_mutex);
        const bool room =
            waitFor(m_changed, lock, patience, [&] { return m_over || m_held == 0 || m_held + bytes <= m_most; });
        m_held += bytes;
        return room;
    }
    void give(std::size_t bytes)
    {
        const std::lock_guard lock(m_mutex);
        m_held -= bytes;
        m_changed.notify_all();
    }
    void end()
    {
        const std::lock_guard lock(m_mutex);
        m_over = true;
        m_changed.notify_all();
    }

private:
    const std::size_t m_most;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_held = 0;
    bool m_over = false;
};

}  // namespace rankdeck
