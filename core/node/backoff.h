// SPDX-License-Identifier: GPL-3.0-or-later
// Delay before the next connection attempt: full jitter over 1 s · 2^n, at most 60 s. So many consoles or nodes do not
// reconnect at the same time. The exponent starts again from 0 after a connection that lasted 60 s. Pure: the caller
// draws the random number. Cannot fail.
#pragma once

#include <algorithm>
#include <chrono>

namespace rankdeck {

class Backoff {
public:
    // random: 0 ≤ random < 1.
    std::chrono::milliseconds next(double random)
    {
        const double ceiling = std::min(60.0, static_cast<double>(1u << std::min(m_failures, 6u)));
        ++m_failures;
        return std::chrono::milliseconds(static_cast<long long>(ceiling * 1000 * std::clamp(random, 0.0, 1.0)));
    }
    void connectionLasted(std::chrono::milliseconds time)
    {
        if (time >= std::chrono::seconds(60)) m_failures = 0;
    }
    void reset() { m_failures = 0; }

private:
    unsigned m_failures = 0;
};

}  // namespace rankdeck
