// SPDX-License-Identifier: GPL-3.0-or-later
// A command on a node, over one exec channel of one libssh session. The session's socket is watched with plain poll.
// After every call the socket is read until nothing is left, because any call may have read bytes for any stream. If
// the session is dead, the next read or write gives Error unreachable.
#pragma once

#include "core/node/session/connection.h"
#include "core/node/transport/transport.h"

#include <libssh/callbacks.h>
#include <memory>
#include <optional>
#include <string>

namespace rankdeck {

class LibsshTransport final : public Transport {
public:
    // Opens the channel and starts the command. From then on the session belongs to the transport.
    static Result<std::unique_ptr<Transport>> start(std::unique_ptr<SshConnection> connection,
                                                    const std::string &command, const Phase &phase);
    ~LibsshTransport() override;

    Result<std::size_t> read(std::string &into) override;
    Result<std::size_t> write(std::string_view bytes) override;
    void wait(bool wantWrite, std::chrono::milliseconds atMost) override;
    void wake() override;
    [[nodiscard]] std::string errorOutput() const override { return m_errorTail; }
    [[nodiscard]] std::string security() const override { return m_connection->security(); }

private:
    LibsshTransport(std::unique_ptr<SshConnection> connection, Socket wake);
    Status openChannel(const std::string &command, const Phase &phase);
    bool takeFrom(bool errorStream);  // false: nothing arrived
    void drain();
    [[nodiscard]] bool ended() const;
    [[nodiscard]] Error endError() const;

    std::unique_ptr<SshConnection> m_connection;
    Socket m_wake;
    ssh_channel_callbacks_struct m_callbacks = {};
    std::optional<int> m_exitStatus;
    std::string m_exitSignal;
    ChannelHandle m_channel;
    std::unique_ptr<char[]> m_scratch;
    std::string m_incoming;
    bool m_more = false;  // reading stopped at a limit, so there may be bytes that the socket does not report
    std::string m_errorTail;
    std::string m_broken;  // reason why the session cannot be used any more
    std::optional<SteadyTime> m_endSeen;
};

}  // namespace rankdeck
