// SPDX-License-Identifier: GPL-3.0-or-later
// Factory of Transports that run one command on a machine: over libssh, through the system's ssh, or with a local pipe.
// All nodes share it: it has the bastion sessions, the limit of concurrent handshakes per gateway and the lock for host
// keys. Its open() blocks the calling node's thread: 10 s for TCP, 15 s key exchange, 20 s login, 120 s if there are
// questions. `stopped` makes it return soon.
#pragma once

#include "core/base/result.h"
#include "core/job/job.h"
#include "core/node/protocol/node_status.h"
#include "core/node/transport/connect_options.h"
#include "core/node/transport/transport.h"

#include <functional>
#include <memory>
#include <string>

namespace rankdeck {

// Asks the operator, on the node's thread. Returns when the operator has answered, or when it is stopped (then accept
// is false).
struct Questions {
    std::function<Answer(const HostKeyQuestion &)> hostKey;
    std::function<Answer(const AuthQuestion &)> auth;
    std::function<bool()> stopped;
};

class SessionFactory {
public:
    virtual ~SessionFactory() = default;
    // Error kinds: refused (host key, login; do not retry without the operator), unreachable (retry with back-off),
    // unsupported, cancelled.
    virtual Result<std::unique_ptr<Transport>> open(const NodeSpec &node, const ConnectOptions &options,
                                                    const std::string &command, const Questions &questions) = 0;
    // Opens the output of a node's container, for a container without python3. It has a header line that begins with
    // outputMark, then the container's lines from the oldest kept one on, continuously. Errors as above; unsupported:
    // the node is not a pod.
    virtual Result<std::unique_ptr<Transport>> openOutput(const NodeSpec &node, const ConnectOptions &options,
                                                          const Questions &questions);
};

inline Result<std::unique_ptr<Transport>> SessionFactory::openOutput(const NodeSpec &node, const ConnectOptions &,
                                                                     const Questions &)
{
    return fail(ErrorKind::unsupported, node.name + " is not a pod with an output to follow.");
}

// The real factory: libssh, ssh child or local pipe, by NodeSpec::transport.
std::shared_ptr<SessionFactory> makeSessionFactory();

}  // namespace rankdeck
