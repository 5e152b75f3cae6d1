// SPDX-License-Identifier: GPL-3.0-or-later
// A separate ssh-agent for a test; it ends with the test.
#pragma once

#include "tests/testbed/process_count.h"
#include "tests/testbed/program.h"
#include "tests/testbed/temp_dir.h"

#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck {

class PrivateAgent {
public:
    PrivateAgent()
    {
        const std::string path = socket();
        m_pid = fork();
        if (m_pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            dup2(open("/dev/null", O_RDWR), 1);
            execlp("ssh-agent", "ssh-agent", "-D", "-a", path.c_str(), static_cast<char *>(nullptr));
            _exit(127);
        }
        if (!eventually([&] { return isListening(path); })) throw std::runtime_error("ssh-agent did not start");
    }
    ~PrivateAgent()
    {
        kill(m_pid, SIGTERM);
        waitpid(m_pid, nullptr, 0);
    }
    PrivateAgent(const PrivateAgent &) = delete;
    PrivateAgent &operator=(const PrivateAgent &) = delete;

    [[nodiscard]] std::string socket() const { return m_dir.file("agent"); }
    void add(const std::string &keyFile) const { use({keyFile}); }
    void use(std::vector<std::string> arguments) const
    {
        std::vector<std::string> argv = {"env", "SSH_AUTH_SOCK=" + socket(), "ssh-add", "-q"};
        argv.insert(argv.end(), arguments.begin(), arguments.end());
        const ProgramOutput added = runProgram(argv);
        if (added.exitCode != 0) throw std::runtime_error("ssh-add: " + added.out);
    }

private:
    // The socket exists before the agent listens on it.
    static bool isListening(const std::string &path)
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        const int own = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool connected = connect(own, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
        close(own);
        return connected;
    }

    TempDir m_dir;
    pid_t m_pid = -1;
};

}  // namespace rankdeck
