// SPDX-License-Identifier: GPL-3.0-or-later
// Independent work on a range by two threads, if there is enough of it. Blocks until all of it is done.
#pragma once

#include <cstddef>
#include <future>

namespace rankdeck {

// Calls work(from, to) for all of 0 … count, as one call or two parallel calls. Each may touch only data of its own
// indices. The parameter `cells` is the total amount of work, as a number of files; below some thousands a thread costs
// more than it saves. Passes on exceptions of work.
template <class Work>
void inTwoThreads(std::size_t count, std::size_t cells, const Work &work)
{
    constexpr std::size_t worthAThread = 20'000;
    if (count < 2 || cells < worthAThread) {
        work(std::size_t(0), count);
        return;
    }
    std::future<void> other = std::async(std::launch::async, [&] { work(count / 2, count); });
    work(std::size_t(0), count / 2);
    other.get();
}

}  // namespace rankdeck
