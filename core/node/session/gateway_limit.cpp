// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/gateway_limit.h"

#include <chrono>

namespace rankdeck {

GatewayLimit::GatewayLimit(int perGateway, int inAll) : m_perGateway(perGateway), m_inAll(inAll) {}

Result<std::unique_ptr<GatewayLimit::Permit>> GatewayLimit::acquire(const std::string &gateway,
                                                                    const std::function<bool()> &stopped)
{
    std::unique_lock lock(m_mutex);
    while (m_total >= m_inAll || m_taken[gateway] >= m_perGateway) {
        m_freed.wait_for(lock, std::chrono::milliseconds(50));
        lock.unlock();
        const bool stop = stopped && stopped();
        lock.lock();
        if (stop) return fail(ErrorKind::cancelled, "Cancelled.");
    }
    ++m_total;
    ++m_taken[gateway];
    return std::make_unique<Permit>(*this, gateway);
}

void GatewayLimit::giveBack(const std::string &gateway)
{
    const std::lock_guard lock(m_mutex);
    --m_total;
    if (--m_taken[gateway] == 0) m_taken.erase(gateway);
    m_freed.notify_all();
}

}  // namespace rankdeck
