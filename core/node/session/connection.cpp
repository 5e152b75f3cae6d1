// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/connection.h"

#include "core/base/text.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <libssh/callbacks.h>
#include <mutex>
#include <poll.h>

namespace rankdeck {

namespace {

void dropLog(int, const char *, const char *, void *) {}

// ssh's list of host key types, without certificates, which libssh cannot check. Known types come first: a host key of
// another type than the known one would look like an unknown key.
std::string hostKeyOrder(const std::string &algorithms, const std::vector<std::string> &knownTypes)
{
    const auto isKnown = [&](const std::string &algorithm) {
        return std::any_of(knownTypes.begin(), knownTypes.end(), [&](const std::string &type) {
            return algorithm == type || (type == "ssh-rsa" && algorithm.starts_with("rsa-sha2-"));
        });
    };
    std::vector<std::string> ordered = split(algorithms, ',');
    std::erase_if(ordered, [](const std::string &algorithm) {
        return algorithm.empty() || algorithm.find("-cert-") != std::string::npos;
    });
    std::stable_partition(ordered.begin(), ordered.end(), isKnown);
    std::string list;
    for (const std::string &algorithm : ordered) list += (list.empty() ? "" : ",") + algorithm;
    return list;
}

Error notSpoken(const std::string &what, const std::string &host)
{
    return fail(
        ErrorKind::unsupported,
        message(
            "%1 Set \"transport\": \"ssh\" for this node in the job file: then %2 is reached through the system's ssh.",
            what, host));
}

}  // namespace

void prepareLibssh()
{
    static std::once_flag once;
    std::call_once(once, [] {
        setenv("OPENSSH_PROXYJUMP", "1", 1);  // disables libssh's own jumps, which end all sessions when one ends
        std::signal(SIGPIPE, SIG_IGN);        // a write to a closed peer must return an error instead
        ssh_init();
    });
    // The library keeps the log level and the callback per thread. Without this callback it would print.
    ssh_set_log_callback(dropLog);
    ssh_set_log_level(SSH_LOG_NOLOG);
}

SshConnection::SshConnection(const SshConfig &config, Socket socket, std::shared_ptr<void> carrier)
    : m_config(config), m_carrier(std::move(carrier)), m_socket(std::move(socket)), m_session(ssh_new())
{}

SshConnection::~SshConnection()
{
    if (!m_session) return;
    if (ssh_is_connected(m_session.get())) ssh_disconnect(m_session.get());
}

Result<std::unique_ptr<SshConnection>> SshConnection::open(const SshConfig &config, Socket socket,
                                                           std::shared_ptr<void> carrier,
                                                           const std::vector<std::string> &knownTypes,
                                                           const Phase &phase)
{
    prepareLibssh();
    std::unique_ptr<SshConnection> made(new SshConnection(config, std::move(socket), std::move(carrier)));
    if (!made->m_session) return fail(ErrorKind::internal, message("No memory for another connection."));
    if (const Status set = made->applyOptions(knownTypes); !set) return set.error();
    if (const Status done = made->exchangeKeys(phase); !done) return done.error();
    return made;
}

Status SshConnection::applyOptions(const std::vector<std::string> &knownTypes)
{
    const bool noConfig = false;
    const int noVerbosity = SSH_LOG_NOLOG;
    const long seconds = 20;
    const unsigned port = unsigned(m_config.port);
    const int fd = m_socket.get();
    ssh_session s = m_session.get();
    bool good = ssh_options_set(s, SSH_OPTIONS_PROCESS_CONFIG, &noConfig) == 0 &&
                ssh_options_set(s, SSH_OPTIONS_LOG_VERBOSITY, &noVerbosity) == 0 &&
                ssh_options_set(s, SSH_OPTIONS_HOST, m_config.hostname.c_str()) == 0 &&
                ssh_options_set(s, SSH_OPTIONS_PORT, &port) == 0 &&
                ssh_options_set(s, SSH_OPTIONS_USER, m_config.user.c_str()) == 0 &&
                ssh_options_set(s, SSH_OPTIONS_FD, &fd) == 0 &&
                ssh_options_set(s, SSH_OPTIONS_TIMEOUT, &seconds) == 0 &&
                ssh_options_set(s, SSH_OPTIONS_COMPRESSION, m_config.compression ? "yes" : "no") == 0 &&
                // This program checks the host keys itself. The library would read these files to order algorithms.
                ssh_options_set(s, SSH_OPTIONS_KNOWNHOSTS, "/dev/null") == 0 &&
                ssh_options_set(s, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null") == 0;
    if (!good)
        return fail(ErrorKind::invalid,
                    message("libssh does not accept the settings for %1: %2.", m_config.alias, errorText()));

    const std::string hostKeys = hostKeyOrder(m_config.hostKeyAlgorithms, knownTypes);
    const std::vector<std::tuple<const char *, ssh_options_e, const std::string &>> lists = {
        {"KexAlgorithms", SSH_OPTIONS_KEY_EXCHANGE, m_config.kexAlgorithms},
        {"HostKeyAlgorithms", SSH_OPTIONS_HOSTKEYS, hostKeys},
        {"Ciphers", SSH_OPTIONS_CIPHERS_C_S, m_config.ciphers},
        {"Ciphers", SSH_OPTIONS_CIPHERS_S_C, m_config.ciphers},
        {"MACs", SSH_OPTIONS_HMAC_C_S, m_config.macs},
        {"MACs", SSH_OPTIONS_HMAC_S_C, m_config.macs},
        {"PubkeyAcceptedAlgorithms", SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES, m_config.publicKeyAlgorithms},
    };
    for (const auto &[name, option, list] : lists)
        if (!list.empty() && ssh_options_set(s, option, list.c_str()) != 0)
            return notSpoken(std::string("The ssh config allows only ") + name + " for " + m_config.alias +
                                 " that libssh does not have (" + printable(list) + ").",
                             m_config.alias);
    ssh_set_counters(s, &m_counter, &m_packets);
    ssh_set_blocking(s, 0);
    return Done{};
}

// If libssh got a descriptor through an option, it closes the descriptor when the peer ends or the session is freed,
// but not in `ssh_disconnect`. The descriptor must be closed exactly once, and never after its number was reused.
// Therefore it belongs to libssh from here on.
void SshConnection::giveSocketAway(bool keepsItsError)
{
    if (m_socket.release() >= 0 && !keepsItsError) ssh_options_set(m_session.get(), SSH_OPTIONS_FD, nullptr);
}

Status SshConnection::exchangeKeys(const Phase &phase)
{
    const auto answer = finish(SSH_AGAIN, phase, [this] {
        const int connected = ssh_connect(m_session.get());
        giveSocketAway(connected == SSH_ERROR);
        return connected;
    });
    const std::string where = m_config.alias + " (" + m_config.gateway() + ")";
    if (!answer) {
        if (answer.error().kind == ErrorKind::cancelled) return answer.error();
        return fail(ErrorKind::unreachable, message("%1 accepted the connection but did not finish the key exchange in "
                                                    "time. It hangs, or it is not an ssh server.",
                                                    where));
    }
    if (*answer == SSH_OK) {
        // The library makes the descriptor blocking. Then one send to a dead peer would stop the thread.
        fcntl(fd(), F_SETFL, fcntl(fd(), F_GETFL) | O_NONBLOCK);
        return Done{};
    }
    const std::string why = errorText();
    if (why.find("no match for method") != std::string::npos)
        return notSpoken(where + " and libssh have no algorithm in common: " + why + ".", m_config.alias);
    return fail(
        ErrorKind::unreachable,
        message(
            "%1 ended the connection before the login: %2. A busy sshd does that (MaxStartups); Rankdeck tries again.",
            where, why),
        why);
}

void SshConnection::waitReady(int milliseconds) const
{
    const int flags = ssh_get_poll_flags(m_session.get());
    pollfd one = {fd(), short(POLLIN | (flags & SSH_WRITE_PENDING ? POLLOUT : 0)), 0};
    poll(&one, 1, milliseconds);
}

Result<PublicKey> SshConnection::hostKey() const
{
    ssh_key raw = nullptr;
    char *text = nullptr;
    if (ssh_get_server_publickey(m_session.get(), &raw) != SSH_OK)
        return fail(ErrorKind::unreachable, message("The server showed no host key."));
    const KeyHandle key(raw);
    if (ssh_pki_export_pubkey_base64(raw, &text) != SSH_OK || !text)
        return fail(ErrorKind::unreachable, message("The server's host key cannot be read."));
    const auto parsed = publicKeyFromBase64(text);
    ssh_string_free_char(text);
    if (!parsed) return fail(ErrorKind::unreachable, message("The server's host key cannot be read."));
    return *parsed;
}

std::string SshConnection::security() const
{
    const char *kex = ssh_get_kex_algo(m_session.get());
    const char *cipher = ssh_get_cipher_out(m_session.get());
    return std::string(kex ? kex : "?") + ", " + (cipher ? cipher : "?");
}

std::string SshConnection::errorText() const
{
    const std::string text = withoutStop(printable(ssh_get_error(m_session.get())));
    return text.empty() ? "no reason given" : text;
}

}  // namespace rankdeck
