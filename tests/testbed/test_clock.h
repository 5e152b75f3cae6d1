// SPDX-License-Identifier: GPL-3.0-or-later
// Clocks that a test advances, or lets run faster while it waits for something that never comes. Otherwise they run
// with the system's clock. Any thread may read and change them.
#pragma once

#include "core/base/clock.h"

#include <algorithm>
#include <mutex>

namespace rankdeck {

class ShiftedClock : public Clock {
public:
    void advance(SteadyTime::duration by)
    {
        const std::lock_guard lock(m_mutex);
        m_ahead += by;
    }
    // From now on, one second of the system is `pace` seconds of this clock.
    void setPace(int pace)
    {
        const std::lock_guard lock(m_mutex);
        m_ahead = ahead();
        m_since = systemClock().steady();
        m_pace = pace;
    }

    [[nodiscard]] SteadyTime steady() const override
    {
        const std::lock_guard lock(m_mutex);
        return systemClock().steady() + ahead();
    }
    [[nodiscard]] WallTime wall() const override
    {
        const std::lock_guard lock(m_mutex);
        return systemClock().wall() + std::chrono::duration_cast<WallTime::duration>(ahead());
    }
    // The pace may change at any time, so a waiting thread must soon check its deadline again.
    [[nodiscard]] SteadyTime::duration nap(SteadyTime::duration untilDeadline) const override
    {
        return std::min<SteadyTime::duration>(untilDeadline, std::chrono::milliseconds(10));
    }

private:
    [[nodiscard]] SteadyTime::duration ahead() const  // call it with m_mutex held
    {
        return m_ahead + (systemClock().steady() - m_since) * (m_pace - 1);
    }

    mutable std::mutex m_mutex;
    SteadyTime::duration m_ahead{0};
    SteadyTime m_since = systemClock().steady();
    int m_pace = 1;
};

// The clock of the whole program as long as this object lives. Create it before the threads under test start, and only
// one at a time.
class TestClock final : public ShiftedClock {
public:
    TestClock() { installClock(this); }
    ~TestClock() override { installClock(nullptr); }
    TestClock(const TestClock &) = delete;
    TestClock &operator=(const TestClock &) = delete;
};

// A clock of the whole program that does not move. It makes a scene show the ages that it states, however long drawing
// takes. No thread may wait for a deadline of it.
class StandingClock final : public Clock {
public:
    StandingClock() { installClock(this); }
    ~StandingClock() override { installClock(nullptr); }
    StandingClock(const StandingClock &) = delete;
    StandingClock &operator=(const StandingClock &) = delete;
    [[nodiscard]] SteadyTime steady() const override { return m_steady; }
    [[nodiscard]] WallTime wall() const override { return m_wall; }
    [[nodiscard]] SteadyTime::duration nap(SteadyTime::duration) const override
    {
        return std::chrono::milliseconds(10);
    }

private:
    const SteadyTime m_steady = systemClock().steady();
    const WallTime m_wall = systemClock().wall();
};

}  // namespace rankdeck
