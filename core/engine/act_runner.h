// SPDX-License-Identifier: GPL-3.0-or-later
// One thread on which acts run one after another, so that an act can wait for nodes in straight-line code. An act that
// is queued after stop() never runs. Any thread may call.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace rankdeck {

class ActRunner {
public:
    ActRunner();
    ~ActRunner();
    void stop();  // waits for the act that runs, which sees ActionContext::stopRequested(); no other runs afterwards
    void run(std::function<void()> act);
    [[nodiscard]] bool busy() const;

private:
    void work();

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_acts;
    bool m_running = false;
    bool m_stopping = false;
    std::thread m_thread;
};

}  // namespace rankdeck
