// SPDX-License-Identifier: GPL-3.0-or-later
// The user's ssh-agent. libssh can only offer all keys of the agent at once, which exceeds the server's MaxAuthTries
// and has caused hangs. Therefore libssh talks to an AgentFilter, which shows it one key at a time and passes signing
// on.
#pragma once

#include "core/base/result.h"
#include "core/node/session/identity/public_key.h"
#include "core/node/session/reach/connect_deadline.h"
#include "core/node/session/reach/socket.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace rankdeck {

struct AgentKey {
    PublicKey key;  // or certificate
    std::string comment;
};

// Errors: notFound if no agent listens at the path, timeout, protocol.
Result<std::vector<AgentKey>> agentKeys(const std::string &socketPath, const Phase &phase);
// Parses the body of an agent's answer to a request for its keys. Pure.
std::optional<std::vector<AgentKey>> parseAgentKeys(std::string_view reply);

// Uses a separate thread, which checks `stopped` while an agent waits for its owner's touch or consent.
class AgentFilter {
public:
    static Result<std::unique_ptr<AgentFilter>> start(std::string socketPath, std::function<bool()> stopped);
    ~AgentFilter();
    AgentFilter(const AgentFilter &) = delete;
    AgentFilter &operator=(const AgentFilter &) = delete;

    // The socket end for ssh_set_agent_socket, which then owns it.
    int takeClientEnd() { return m_client.release(); }
    // From now on the agent seems to have only the key `shown`. `signer` makes its signatures: the plain key, if
    // `shown` is its certificate from a file.
    void offer(PublicKey shown, PublicKey signer);
    [[nodiscard]] bool signRefused() const { return m_signRefused; }

private:
    AgentFilter(std::string socketPath, std::function<bool()> stopped, Socket client, Socket server);
    void serve();
    std::string answer(std::string_view request);
    std::string sign(std::string_view request);

    const std::string m_socketPath;
    const std::function<bool()> m_stopped;
    Socket m_client;
    Socket m_server;
    std::mutex m_mutex;  // guards the next two members
    PublicKey m_shown;
    PublicKey m_signer;
    std::atomic<bool> m_signRefused{false};
    std::atomic<bool> m_ending{false};
    std::thread m_thread;
};

}  // namespace rankdeck
