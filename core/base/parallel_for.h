// SPDX-License-Identifier: GPL-3.0-or-later
// Independent work on a range by two threads, where there is enough of it. Blocks until all of it is done.
#pragma once

#include <cstddef>
#include <future>

namespace rankdeck {

// work(from, to) for all of 0 … count, in one or two calls at once; each may touch only what belongs to its indices.
// cells: how much there is to do in all, in files; below some thousands a thread costs more than it saves. Passes on
// what work throws.
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
