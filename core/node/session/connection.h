// SPDX-License-Identifier: GPL-3.0-or-later
// One libssh session over a given descriptor, never blocking. Only one thread uses it at a time, but it may be passed
// to another thread in between. `carrier` is the connection behind the descriptor (a bastion), which is kept alive as
// long as the session. Closes without waiting.
#pragma once

#include "core/base/result.h"
#include "core/node/session/identity/public_key.h"
#include "core/node/session/reach/connect_deadline.h"
#include "core/node/session/reach/libssh_handles.h"
#include "core/node/session/reach/socket.h"
#include "core/node/session/reach/ssh_config.h"

#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

class SshConnection {
public:
    // Key exchange. knownTypes: types of host keys that are requested first. Error unreachable (also for a reset before
    // the login, which a busy sshd causes: try again), unsupported (no common algorithm), cancelled.
    static Result<std::unique_ptr<SshConnection>> open(const SshConfig &config, Socket socket,
                                                       std::shared_ptr<void> carrier,
                                                       const std::vector<std::string> &knownTypes, const Phase &phase);
    ~SshConnection();
    SshConnection(const SshConnection &) = delete;
    SshConnection &operator=(const SshConnection &) = delete;

    [[nodiscard]] ssh_session session() const { return m_session.get(); }
    [[nodiscard]] int fd() const { return ssh_get_fd(m_session.get()); }  // -1 after libssh has closed it
    [[nodiscard]] const SshConfig &config() const { return m_config; }
    [[nodiscard]] Result<PublicKey> hostKey() const;
    [[nodiscard]] std::string security() const;   // "curve25519-sha256, aes256-gcm@openssh.com"
    [[nodiscard]] std::string errorText() const;  // libssh's text about the last failure, made printable
    // Number of raw bytes received so far. Only this count shows whether a libssh call has read the socket.
    [[nodiscard]] std::uint64_t bytesIn() const { return m_counter.in_bytes; }

    // Keeps `permit` until `admitted()`, or until the connection ends. sshd counts a login as pending a little longer
    // than the client does. Only sshd's answer to a request after the login shows that it is no longer pending.
    void holdUntilAdmitted(std::shared_ptr<void> permit) { m_permit = std::move(permit); }
    void admitted() { m_permit.reset(); }

    // Repeats a libssh call as long as it returns `again`. Error timeout or cancelled; otherwise the result of the
    // call.
    template <class Call>
    Result<int> finish(int again, const Phase &phase, Call call)
    {
        for (;;) {
            const int answer = call();
            if (answer != again) return answer;
            if (phase.isStopped()) return fail(ErrorKind::cancelled, "Cancelled.");
            if (phase.isOver()) return fail(ErrorKind::timeout, "No answer in time.");
            waitReady(phase.slice());
        }
    }

private:
    SshConnection(const SshConfig &config, Socket socket, std::shared_ptr<void> carrier);
    Status applyOptions(const std::vector<std::string> &knownTypes);
    Status exchangeKeys(const Phase &phase);
    void giveSocketAway(bool keepsItsError);
    void waitReady(int milliseconds) const;

    SshConfig m_config;
    std::shared_ptr<void> m_carrier;  // destroyed last
    std::shared_ptr<void> m_permit;
    Socket m_socket;                    // until libssh owns it
    ssh_counter_struct m_counter = {};  // updated by the session
    ssh_counter_struct m_packets = {};
    SessionHandle m_session;
};

// Once per process: initialises libssh, silences its log, and switches off its automatic actions. Cheap if already
// done.
void prepareLibssh();

}  // namespace rankdeck
