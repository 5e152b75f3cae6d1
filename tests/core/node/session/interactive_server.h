// SPDX-License-Identifier: GPL-3.0-or-later
// A small ssh server that asks questions. sshd does so only through PAM, which a test cannot set up. It speaks the real
// protocol on a free port of 127.0.0.1. It optionally asks for a key, then for two rounds of keyboard-interactive or a
// password, then for one command, and answers "served". It serves one connection after the other, on its own thread.
#pragma once

#include "tests/testbed/temp_dir.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace rankdeck {

struct InteractiveServerOptions {
    bool keyFirst = false;
    bool password = false;        // password instead of keyboard-interactive
    std::string code = "123456";  // answer of the first round, with the name; or the password
    std::string second = "yes";   // answer of the second round
};

class InteractiveServer {
public:
    explicit InteractiveServer(InteractiveServerOptions options = {});
    ~InteractiveServer();
    InteractiveServer(const InteractiveServer &) = delete;
    InteractiveServer &operator=(const InteractiveServer &) = delete;

    [[nodiscard]] std::string sshConfigPath() const { return m_dir.file("ssh_config"); }
    [[nodiscard]] std::string host() const { return "asks"; }
    [[nodiscard]] int connections() const { return m_connections; }

private:
    void run();
    void serve(int fd);

    InteractiveServerOptions m_options;
    TempDir m_dir;
    int m_listener = -1;
    std::atomic<int> m_current{-1};
    std::atomic<int> m_connections{0};
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

}  // namespace rankdeck
