// SPDX-License-Identifier: GPL-3.0-or-later
// Shared connection that many nodes need (a jump host, a relay). The first node opens it, and the others wait for the
// result. All waiting nodes share one login, and also its failure: sixty-four tries would lock the account. It stays
// open until it is found dead or this object is destroyed. Thread-safe; blocks. Errors: those of opening it, cancelled,
// and unreachable if it takes too long.
#pragma once

#include "core/base/result.h"
#include "core/node/session/reach/connect_deadline.h"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace rankdeck {

template <class T>  // has isAlive()
class SharedOpening {
public:
    using Opened = Result<std::shared_ptr<T>>;

    // what: text for messages, "jump host gate". open: () → Opened.
    template <class Open>
    Opened get(const std::string &what, const std::function<bool()> &stopped, Open open)
    {
        std::unique_lock lock(m_mutex);
        if (const auto failed = waitForOthers(lock, what, stopped)) return *failed;
        if (m_opened && m_opened->isAlive()) return m_opened;
        const std::shared_ptr<T> dead = std::exchange(m_opened, nullptr);
        m_opening = true;
        lock.unlock();
        Opened opened = open();
        lock.lock();
        m_opening = false;
        m_changed.notify_all();
        if (opened) return m_opened = *opened;
        // cancelled: only that one node was stopped, so the next waiting node tries again.
        if (opened.error().kind != ErrorKind::cancelled) {
            ++m_failures;
            m_lastFailure = opened.error();
        }
        return opened;
    }

private:
    std::optional<Error> waitForOthers(std::unique_lock<std::mutex> &lock, const std::string &what,
                                       const std::function<bool()> &stopped)
    {
        // A person may be looking for a second factor.
        const Phase waiting = Phase::lasting(std::chrono::minutes(5), stopped);
        const std::uint64_t before = m_failures;
        while (m_opening) {
            m_changed.wait_for(lock, std::chrono::milliseconds(200));  // interval of the checks for a stop
            if (m_failures != before && m_lastFailure) return m_lastFailure;
            lock.unlock();
            const bool stop = waiting.isStopped();
            lock.lock();
            if (stop) return fail(ErrorKind::cancelled, "Cancelled.");
            if (waiting.isOver()) return fail(ErrorKind::unreachable, "The login at the " + what + " does not finish.");
        }
        return {};
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_opening = false;
    std::uint64_t m_failures = 0;
    std::optional<Error> m_lastFailure;
    std::shared_ptr<T> m_opened;
};

}  // namespace rankdeck
