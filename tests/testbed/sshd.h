// SPDX-License-Identifier: GPL-3.0-or-later
// A private, real sshd on a free port of 127.0.0.1. It logs in the current user with a new key, ignores ~/.ssh and
// leaves nothing behind. Its $HOME is a separate directory, so that no login runs the user's ~/.bashrc. Every process
// that it starts has a mark in the environment, so that a test can count them. Works as root and as an ordinary user.
// It ends with the thread that created it, so create it on a thread that lives long enough. Throws std::runtime_error
// with the log if sshd does not start.
#pragma once

#include "tests/testbed/temp_dir.h"

#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

struct SshdOptions {
    std::string alias = "node-a";                // Host of the ssh config
    std::vector<std::string> config = {};        // sshd_config lines; they have precedence over those made here
    std::vector<std::string> clientConfig = {};  // lines of the Host block; they have precedence, too
    bool known = true;                           // the host key is in known_hosts
    std::string hostKeyType = "ed25519";
    std::string proxyJump = {};
    std::vector<std::string> environment = {};  // NAME=value, for every process that it starts
};

class Sshd {
public:
    explicit Sshd(SshdOptions options = {});
    ~Sshd();
    Sshd(const Sshd &) = delete;
    Sshd &operator=(const Sshd &) = delete;

    [[nodiscard]] const std::string &host() const { return m_options.alias; }  // for NodeSpec::host
    [[nodiscard]] std::string sshConfigPath() const { return m_dir.file("ssh_config"); }
    [[nodiscard]] std::string knownHostsPath() const { return m_dir.file("known_hosts"); }
    [[nodiscard]] std::string keyPath() const { return m_dir.file("id_ed25519"); }
    [[nodiscard]] std::string hostKeyPath() const { return m_dir.file("host_key"); }
    [[nodiscard]] std::string authorizedKeysPath() const { return m_dir.file("authorized_keys"); }
    [[nodiscard]] std::string directory() const { return m_dir.path(); }
    [[nodiscard]] int port() const { return m_port; }
    [[nodiscard]] static std::string user();
    [[nodiscard]] std::string hostPublicKey() const;    // "ssh-ed25519 AAAA…"
    [[nodiscard]] std::string hostFingerprint() const;  // "SHA256:…"
    [[nodiscard]] std::string knownHostsLine() const;   // "[127.0.0.1]:port ssh-ed25519 AAAA…"

    // The Host block, with another port (of a proxy) if it is given; several blocks make one config file.
    [[nodiscard]] std::string configBlock(int port = 0) const;
    void writeSshConfig(const std::string &text) const;

    void stop();             // ends the server and its connections at once, like a power failure
    void start();            // starts again, on the same port with the same keys
    void dropConnections();  // ends only the connections
    void replaceHostKey();   // a reinstalled machine: stop, new key, start; known_hosts keeps the old one

    [[nodiscard]] std::string log() const;
    [[nodiscard]] int logins() const;                  // number of logins accepted so far
    [[nodiscard]] std::vector<int> processes() const;  // living processes started through it: shells, probes, launches
    [[nodiscard]] const std::string &mark() const { return m_mark; }  // NAME=value in their environment

private:
    void writeKeys() const;
    void writeServerConfig() const;
    bool tryStart();
    void killConnections() const;

    SshdOptions m_options;
    TempDir m_dir;
    std::string m_mark;
    int m_port = 0;
    int m_pid = -1;
};

// Writes one ssh config with the blocks of all servers to directory/ssh_config; returns its path.
std::string writeSshConfigOf(const std::vector<const Sshd *> &servers, const std::string &directory);

}  // namespace rankdeck
