// SPDX-License-Identifier: GPL-3.0-or-later
// The system's ssh as a child process: for what libssh cannot do (host certificates, ProxyCommand, a shared ControlMaster
// connection, security keys). Bytes are moved by the child's transport; here ssh's own words become an Error of the right
// kind, so that a refusal is not tried again and again.
#pragma once

#include "core/job/job.h"
#include "core/node/session/reach/connect_deadline.h"
#include "core/node/session/reach/ssh_target.h"
#include "core/node/transport/connect_options.h"
#include "core/node/transport/transport.h"

#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

// What is run: the command, after a word from the far shell that it is there (the reader skips what comes before its own
// mark, as rc files print too). Pure.
std::vector<std::string> sshChildCommand(const SshTarget &target, const ConnectOptions &options,
                                         const std::string &command);
// What ssh's last words mean. Pure.
Error sshChildError(const std::string &host, const std::string &errorOutput, const Error &ended);

class SshChildTransport final : public Transport {
public:
    // Waits until the far shell has spoken (sshChildCommand makes it), so that a refusal is known here.
    static Result<std::unique_ptr<Transport>> start(const std::string &host, std::unique_ptr<Transport> child,
                                                    const Phase &phase);

    Result<std::size_t> read(std::string &into) override;
    Result<std::size_t> write(std::string_view bytes) override { return m_child->write(bytes); }
    void wait(bool wantWrite, std::chrono::milliseconds atMost) override;
    void wake() override { m_child->wake(); }
    [[nodiscard]] std::string errorOutput() const override { return m_child->errorOutput(); }
    [[nodiscard]] std::string security() const override { return "by the system's ssh"; }

private:
    explicit SshChildTransport(std::unique_ptr<Transport> child) : m_child(std::move(child)) {}

    std::unique_ptr<Transport> m_child;
    std::string m_first;  // what had come when start() returned
};

}  // namespace rankdeck
