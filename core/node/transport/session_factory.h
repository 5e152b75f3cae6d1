// SPDX-License-Identifier: GPL-3.0-or-later
// Factory of Transports that run one command on a machine: over libssh, through the system's ssh, or a local pipe.
// Shared by all nodes: it holds the bastion sessions, the limit of concurrent handshakes per gateway and the host-key
// lock. Its open() blocks on the calling node's thread: 10 s TCP, 15 s key exchange, 20 s login, 120 s with questions.
// `stopped` makes it return soon.
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

// Asks the operator, on the node's thread; returns when answered or stopped (then accept is false).
struct Questions {
    std::function<Answer(const HostKeyQuestion &)> hostKey;
    std::function<Answer(const AuthQuestion &)> auth;
    std::function<bool()> stopped;
};

class SessionFactory {
public:
    virtual ~SessionFactory() = default;
    // Error kinds: refused (host key, login; not to be retried without the operator), unreachable (retry with
    // back-off), unsupported, cancelled.
    virtual Result<std::unique_ptr<Transport>> open(const NodeSpec &node, const ConnectOptions &options,
                                                    const std::string &command, const Questions &questions) = 0;
    // Output of a node's container, without a program in it: a line that begins with outputMark, then its lines from
    // the oldest kept one, continuously. Errors as above; unsupported: the node is not a pod.
    virtual Result<std::unique_ptr<Transport>> openOutput(const NodeSpec &node, const ConnectOptions &options,
                                                          const Questions &questions);
};

inline Result<std::unique_ptr<Transport>> SessionFactory::openOutput(const NodeSpec &node, const ConnectOptions &,
                                                                     const Questions &)
{
    return fail(ErrorKind::unsupported, node.name + " is not a pod with an output to follow.");
}

// The real one: libssh, ssh child and local pipe by NodeSpec::transport.
std::shared_ptr<SessionFactory> makeSessionFactory();

}  // namespace rankdeck
