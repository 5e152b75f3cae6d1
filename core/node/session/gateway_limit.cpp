// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/gateway_limit.h"

#include <chrono>

namespace rankdeck {

GatewayLimit::GatewayLimit(int perGateway, int inAll) : m_perGateway(perGateway), m_inAll(inAll) {}

Result<std::unique_ptr<GatewayLimit::Permit>> GatewayLimit::acquire(const std::string &gateway,
                                                                    const std::function<bool()> &stopped)
{
    constexpr std::chrono::milliseconds asksAgain{200};  // interval of the checks for a stop
    std::unique_lock lock(m_mutex);
    Waiting own{.gateway = gateway};
    const auto place = m_waiting.insert(m_waiting.end(), &own);
    grant();
    while (!own.turn.wait_for(lock, asksAgain, [&own] { return own.granted; })) {
        lock.unlock();
        const bool stop = stopped && stopped();
        lock.lock();
        if (!stop || own.granted) continue;
        m_waiting.erase(place);
        return fail(ErrorKind::cancelled, message("Cancelled."));
    }
    return std::make_unique<Permit>(*this, gateway);
}

void GatewayLimit::grant()
{
    for (auto one = m_waiting.begin(); one != m_waiting.end() && m_total < m_inAll;) {
        Waiting &waiting = **one;
        const auto taken = m_taken.find(waiting.gateway);
        if (taken != m_taken.end() && taken->second >= m_perGateway) {
            ++one;
            continue;
        }
        ++m_total;
        ++m_taken[waiting.gateway];
        waiting.granted = true;
        one = m_waiting.erase(one);
        waiting.turn.notify_one();
    }
}

void GatewayLimit::giveBack(const std::string &gateway)
{
    const std::lock_guard lock(m_mutex);
    --m_total;
    if (--m_taken[gateway] == 0) m_taken.erase(gateway);
    grant();
}

}  // namespace rankdeck
