// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/node/session/interactive_server.h"

#include "tests/testbed/free_port.h"
#include "tests/testbed/program.h"

#include <fcntl.h>
#include <libssh/libssh.h>
#include <libssh/server.h>

// Only the older half of libssh's server interface knows keyboard-interactive.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace rankdeck {

namespace {

// One connection's login, step by step.
class Dialogue {
public:
    explicit Dialogue(const InteractiveServerOptions &options) : m_options(options), m_needsKey(options.keyFirst) {}

    bool finished() const { return m_finished; }
    void answer(ssh_session session, ssh_message message)
    {
        const int type = ssh_message_type(message);
        const int subtype = ssh_message_subtype(message);
        if (type == SSH_REQUEST_SERVICE)
            ssh_message_service_reply_success(message);
        else if (type == SSH_REQUEST_AUTH && subtype == SSH_AUTH_METHOD_PUBLICKEY && m_needsKey)
            key(message);
        else if (type == SSH_REQUEST_AUTH && subtype == SSH_AUTH_METHOD_INTERACTIVE && !m_needsKey)
            keyboard(session, message);
        else if (type == SSH_REQUEST_AUTH && subtype == SSH_AUTH_METHOD_PASSWORD && m_options.password)
            password(message);
        else if (type == SSH_REQUEST_AUTH)
            deny(message);
        else if (type == SSH_REQUEST_CHANNEL_OPEN)
            m_channel = ssh_message_channel_request_open_reply_accept(message);
        else if (type == SSH_REQUEST_CHANNEL && subtype == SSH_CHANNEL_REQUEST_EXEC)
            command(message);
        else
            ssh_message_reply_default(message);
        ssh_message_free(message);
    }

private:
    int methods() const
    {
        return m_needsKey           ? SSH_AUTH_METHOD_PUBLICKEY
               : m_options.password ? SSH_AUTH_METHOD_PASSWORD
                                    : SSH_AUTH_METHOD_INTERACTIVE;
    }
    void deny(ssh_message message)
    {
        ssh_message_auth_set_methods(message, methods());
        ssh_message_reply_default(message);
    }
    void key(ssh_message message)
    {
        if (ssh_message_auth_publickey_state(message) == SSH_PUBLICKEY_STATE_NONE) {
            ssh_message_auth_reply_pk_ok_simple(message);
            return;
        }
        if (ssh_message_auth_publickey_state(message) != SSH_PUBLICKEY_STATE_VALID) return deny(message);
        m_needsKey = false;
        ssh_message_auth_set_methods(message, methods());
        ssh_message_auth_reply_success(message, 1);
    }
    void keyboard(ssh_session session, ssh_message message)
    {
        if (ssh_message_auth_kbdint_is_response(message)) {
            const auto given = [&](unsigned i) {
                const char *text = ssh_userauth_kbdint_getanswer(session, i);
                return std::string(text ? text : "");
            };
            const bool good =
                m_round == 1
                    ? ssh_userauth_kbdint_getnanswers(session) == 2 && given(0) == "ann" && given(1) == m_options.code
                    : ssh_userauth_kbdint_getnanswers(session) == 1 && given(0) == m_options.second;
            if (!good) return deny(message);
            if (m_round == 2) {
                ssh_message_auth_reply_success(message, 0);
                return;
            }
        }
        const char *first[] = {"Name: ", "One-time code: "};
        const char *second[] = {"Really? "};
        char firstEcho[] = {1, 0};
        char secondEcho[] = {1};
        ++m_round;
        if (m_round == 1)
            ssh_message_auth_interactive_request(message, "Second factor", "Look at your phone.", 2, first, firstEcho);
        else
            ssh_message_auth_interactive_request(message, "Last question", "", 1, second, secondEcho);
    }
    void password(ssh_message message)
    {
        const char *given = ssh_message_auth_password(message);
        if (!given || given != m_options.code) return deny(message);
        ssh_message_auth_reply_success(message, 0);
    }
    void command(ssh_message message)
    {
        ssh_message_channel_request_reply_success(message);
        ssh_channel_write(m_channel, "served\n", 7);
        ssh_channel_request_send_exit_status(m_channel, 0);
        ssh_channel_send_eof(m_channel);
        ssh_channel_close(m_channel);
        m_finished = true;
    }

    const InteractiveServerOptions &m_options;
    bool m_needsKey;
    int m_round = 0;
    bool m_finished = false;
    ssh_channel m_channel = nullptr;
};

}  // namespace

InteractiveServer::InteractiveServer(InteractiveServerOptions options) : m_options(std::move(options))
{
    for (const char *name : {"host", "id"})
        if (runProgram({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", m_dir.file(name)}).exitCode != 0)
            throw std::runtime_error("ssh-keygen failed");
    m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(m_listener, reinterpret_cast<sockaddr *>(&address), size) != 0 || listen(m_listener, 8) != 0 ||
        getsockname(m_listener, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        throw std::runtime_error("cannot listen");
    const std::string port = std::to_string(ntohs(address.sin_port));
    m_dir.write("known_hosts", "[127.0.0.1]:" + port + " " + m_dir.read("host.pub"));
    m_dir.write("ssh_config", "Host asks\n  HostName 127.0.0.1\n  Port " + port + "\n  User ann\n  IdentityFile " +
                                  m_dir.file("id") +
                                  "\n  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile " +
                                  m_dir.file("known_hosts") + "\n");
    m_thread = std::thread([this] { run(); });
}

InteractiveServer::~InteractiveServer()
{
    m_stop = true;
    shutdown(m_listener, SHUT_RDWR);
    if (const int fd = m_current; fd >= 0) shutdown(fd, SHUT_RDWR);
    m_thread.join();
    close(m_listener);
}

void InteractiveServer::run()
{
    while (!m_stop) {
        const int fd = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0) return;
        ++m_connections;
        m_current = fd;
        serve(fd);
        m_current = -1;
        close(fd);
    }
}

void InteractiveServer::serve(int fd)
{
    const std::unique_ptr<ssh_bind_struct, void (*)(ssh_bind)> bind(ssh_bind_new(), ssh_bind_free);
    const std::unique_ptr<ssh_session_struct, void (*)(ssh_session)> session(ssh_new(), ssh_free);
    const bool noConfig = false;
    ssh_bind_options_set(bind.get(), SSH_BIND_OPTIONS_PROCESS_CONFIG, &noConfig);
    ssh_bind_options_set(bind.get(), SSH_BIND_OPTIONS_HOSTKEY, m_dir.file("host").c_str());
    if (ssh_bind_accept_fd(bind.get(), session.get(), dup(fd)) != SSH_OK ||
        ssh_handle_key_exchange(session.get()) != SSH_OK)
        return;
    ssh_set_auth_methods(session.get(), m_options.keyFirst   ? SSH_AUTH_METHOD_PUBLICKEY
                                        : m_options.password ? SSH_AUTH_METHOD_PASSWORD
                                                             : SSH_AUTH_METHOD_INTERACTIVE);
    Dialogue dialogue(m_options);
    while (!dialogue.finished()) {
        ssh_message message = ssh_message_get(session.get());
        if (!message) return;
        dialogue.answer(session.get(), message);
    }
    while (ssh_message message = ssh_message_get(session.get()))
        ssh_message_free(message);  // until the client has gone
}

}  // namespace rankdeck
