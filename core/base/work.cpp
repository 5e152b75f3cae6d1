// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/work.h"

#include <algorithm>
#include <ctime>

namespace rankdeck {

std::chrono::nanoseconds workOfThisThread()
{
    timespec used = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

std::chrono::nanoseconds restAfter(std::chrono::nanoseconds work, int parts, std::chrono::nanoseconds longest)
{
    return std::clamp<std::chrono::nanoseconds>((parts - 1) * work, std::chrono::nanoseconds::zero(), longest);
}

}  // namespace rankdeck
