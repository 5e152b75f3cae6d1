// SPDX-License-Identifier: GPL-3.0-or-later
// Limit on connections that are not logged in yet, below sshd's MaxStartups and PerSourcePenalties: 6 per address, 32
// in all. Requests are served in order: after a network failure, a node that fails and retries waits behind all nodes
// that have not tried yet. A returned permit wakes only the thread that gets it. Thread-safe. A permit is held from
// before the TCP connect until the server has answered a request after the login. Fails only if it is stopped.
#pragma once

#include "core/base/result.h"

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace rankdeck {

class GatewayLimit {
public:
    explicit GatewayLimit(int perGateway = 6, int inAll = 32);

    class Permit {
    public:
        Permit(GatewayLimit &limit, std::string gateway) : m_limit(limit), m_gateway(std::move(gateway)) {}
        ~Permit() { m_limit.giveBack(m_gateway); }
        Permit(const Permit &) = delete;
        Permit &operator=(const Permit &) = delete;

    private:
        GatewayLimit &m_limit;
        std::string m_gateway;
    };
    // Waits for a permit. Error cancelled if it was stopped before. The limit must outlive the permit.
    Result<std::unique_ptr<Permit>> acquire(const std::string &gateway, const std::function<bool()> &stopped);

private:
    struct Waiting {
        const std::string &gateway;
        std::condition_variable turn = {};
        bool granted = false;
    };
    void giveBack(const std::string &gateway);
    void grant();  // gives permits to all waiting requests that can have one now

    const int m_perGateway;
    const int m_inAll;
    std::mutex m_mutex;
    std::list<Waiting *> m_waiting;  // in order of arrival
    std::map<std::string, int> m_taken;
    int m_total = 0;
};

}  // namespace rankdeck
