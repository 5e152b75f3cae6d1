// SPDX-License-Identifier: GPL-3.0-or-later
// A program on this machine, connected by its stdin and stdout: /bin/sh for the local node, ssh as the second way to
// other nodes. The child has its own session, which ends with the transport. The child is killed if it does not end
// within 0.3 s after the end of its input. The last 8 kB of stderr are kept. After its end, reads and writes give Error
// unreachable with its exit code. One thread; wake() from any.
#pragma once

#include "core/node/transport/transport.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace rankdeck {

class ChildProcessTransport final : public Transport {
public:
    // The program argv[0] is searched in PATH. Error notFound or permission if it cannot be run.
    static Result<std::unique_ptr<Transport>> start(const std::vector<std::string> &argv);
    ~ChildProcessTransport() override;
    ChildProcessTransport(const ChildProcessTransport &) = delete;
    ChildProcessTransport &operator=(const ChildProcessTransport &) = delete;

    Result<std::size_t> read(std::string &into) override;
    Result<std::size_t> write(std::string_view bytes) override;
    void wait(bool wantWrite, std::chrono::milliseconds atMost) override;
    void wake() override;
    [[nodiscard]] std::string errorOutput() const override { return m_errors; }

private:
    ChildProcessTransport(std::string program, pid_t pid, int input, int output, int errors, int wake);
    void readErrors();
    void reap();
    Error ended();  // after the end of the output: waits briefly for the exit status

    std::string m_program;
    pid_t m_pid;
    int m_input;   // for writing
    int m_output;  // for reading
    int m_errorPipe;
    int m_wake;
    std::string m_errors;
    std::string m_exit = {};  // "exit code 127"; empty until it is known
};

}  // namespace rankdeck
