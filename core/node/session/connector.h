// SPDX-License-Identifier: GPL-3.0-or-later
// Connector from a host name, as the operator writes it, to a logged-in connection. It handles ssh's settings, jump
// hosts, the handshake limit, the host key and the login. All nodes share one connector; thread-safe. Blocks the
// calling thread.
#pragma once

#include "core/node/session/bastion.h"
#include "core/node/session/connection.h"
#include "core/node/session/gateway_limit.h"
#include "core/node/session/identity/host_key_rule.h"
#include "core/node/session/reach/shared_opening.h"
#include "core/node/session/reach/ssh_target.h"
#include "core/node/transport/session_factory.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace rankdeck {

class Connector {
public:
    // All logins share the limit, which must outlive the connector.
    explicit Connector(GatewayLimit &limit) : m_limit(limit) {}

    // Error kinds are those of SessionFactory::open.
    Result<std::unique_ptr<SshConnection>> connect(const std::string &host, const ConnectOptions &options,
                                                   const Questions &questions);

private:
    using Connected = Result<std::unique_ptr<SshConnection>>;
    using Via = std::shared_ptr<Bastion>;
    using Trail = std::vector<std::string>;  // hosts whose connection waits for this one
    using Hop = SharedOpening<Bastion>;      // one jump host, identified by how it is reached

    Connected connectTo(const SshTarget &target, const ConnectOptions &options, const Questions &questions,
                        const Trail &trail, const std::string &forcedJump);
    Result<Via> bastionFor(const SshConfig &config, const ConnectOptions &options, const Questions &questions,
                           const Trail &trail);
    Connected establish(const SshConfig &config, const Via &via, const ConnectOptions &options,
                        const Questions &questions);
    // Returns null and the key if the operator must be asked first.
    Connected tryOnce(const SshConfig &config, const Via &via, HostKeyRule &rule, const ConnectOptions &options,
                      const Questions &questions, std::optional<PublicKey> &unknownKey);
    Connected handshake(const SshConfig &config, const Via &via, const HostKeyRule &rule, const Questions &questions);
    Status logIn(SshConnection &connection, const ConnectOptions &options, const Questions &questions);

    GatewayLimit &m_limit;
    AcceptedKeys m_accepted;
    std::mutex m_mutex;                           // guards the next two members
    std::map<std::string, std::string> m_worked;  // user@host:port → label of the key that worked
    std::map<std::string, std::shared_ptr<Hop>> m_hops;
};

}  // namespace rankdeck
