// SPDX-License-Identifier: GPL-3.0-or-later
// A clock that a test advances: it goes on with the system's, ahead of them by what was added. Make one before the threads
// under test are started, and only one at a time; the system's clocks are back when it ends.
#pragma once

#include "core/base/clock.h"

#include <algorithm>
#include <atomic>

namespace rankdeck {

class TestClock final : public Clock {
public:
    TestClock() { installClock(this); }
    ~TestClock() override { installClock(nullptr); }
    TestClock(const TestClock &) = delete;
    TestClock &operator=(const TestClock &) = delete;

    void advance(std::chrono::nanoseconds by) { m_ahead += by.count(); }

    [[nodiscard]] SteadyTime steady() const override { return std::chrono::steady_clock::now() + ahead(); }
    [[nodiscard]] WallTime wall() const override
    {
        return std::chrono::system_clock::now() + std::chrono::duration_cast<WallTime::duration>(ahead());
    }
    // Deadlines may come nearer at any time, so that a waiting thread has to look again soon.
    [[nodiscard]] SteadyTime::duration nap(SteadyTime::duration untilDeadline) const override
    {
        return std::min<SteadyTime::duration>(untilDeadline, std::chrono::milliseconds(5));
    }

private:
    [[nodiscard]] std::chrono::nanoseconds ahead() const { return std::chrono::nanoseconds(m_ahead.load()); }

    std::atomic<std::int64_t> m_ahead = 0;
};

}  // namespace rankdeck
