// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/act_runner.h"

namespace rankdeck {

ActRunner::ActRunner() : m_thread([this] { work(); }) {}

ActRunner::~ActRunner() { stop(); }

void ActRunner::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
        m_acts.clear();
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void ActRunner::run(std::function<void()> act)
{
    const std::lock_guard lock(m_mutex);
    if (m_stopping) return;
    m_acts.push_back(std::move(act));
    m_wake.notify_all();
}

bool ActRunner::busy() const
{
    const std::lock_guard lock(m_mutex);
    return m_running || !m_acts.empty();
}

void ActRunner::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_stopping || !m_acts.empty(); });
        if (m_stopping) return;
        const std::function<void()> act = std::move(m_acts.front());
        m_acts.pop_front();
        m_running = true;
        lock.unlock();
        act();
        lock.lock();
        m_running = false;
    }
}

}  // namespace rankdeck
