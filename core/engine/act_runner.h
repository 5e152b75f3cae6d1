// SPDX-License-Identifier: GPL-3.0-or-later
// Thread on which actions run one after another, so that an action can wait for nodes in straight-line code. An action
// that is queued after stop() never runs. Any thread may call.
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
    void stop();  // waits for the running action, which sees ActionContext::stopRequested(); none runs later
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
