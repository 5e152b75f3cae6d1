// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/transport/child_process_transport.h"

#include "core/node/transport/spawn.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rankdeck {

namespace {

constexpr std::size_t errorBytes = 8192;
constexpr std::size_t readBytes = 256u << 10;  // per call, so that one node does not occupy its thread for long

void closeFd(int &fd)
{
    if (fd >= 0) ::close(fd);
    fd = -1;
}

std::string exitText(int status)
{
    if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
    return "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Result<std::unique_ptr<Transport>> ChildProcessTransport::start(const std::vector<std::string> &argv)
{
    auto child = spawnChild(argv);
    if (!child) return child.error();
    const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    std::unique_ptr<Transport> transport(
        new ChildProcessTransport(argv.front(), child->pid, child->input, child->output, child->errors, wake));
    if (wake < 0)
        return fail(ErrorKind::internal,
                    message("Too many open files on this machine; close some programs or raise the limit."));
    return transport;
}

ChildProcessTransport::ChildProcessTransport(std::string program, pid_t pid, int input, int output, int errors,
                                             int wake)
    : m_program(std::move(program)), m_pid(pid), m_input(input), m_output(output), m_errorPipe(errors), m_wake(wake)
{}

ChildProcessTransport::~ChildProcessTransport()
{
    closeFd(m_input);
    closeFd(m_output);
    closeFd(m_errorPipe);
    reap();
    closeFd(m_wake);
}

void ChildProcessTransport::reap()
{
    if (m_pid <= 0) return;
    // At the end of its input, the probe may still be replacing a file, so it gets some time to end.
    for (int attempt = 0; attempt < 150; ++attempt) {
        if (::waitpid(m_pid, nullptr, WNOHANG) == m_pid) {
            ::kill(-m_pid, SIGKILL);
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(-m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {}
}

Result<std::size_t> ChildProcessTransport::read(std::string &into)
{
    readErrors();
    std::array<char, 65536> buffer{};
    std::size_t total = 0;
    while (total < readBytes) {
        const ssize_t got = ::read(m_output, buffer.data(), buffer.size());
        if (got > 0) {
            into.append(buffer.data(), static_cast<std::size_t>(got));
            total += static_cast<std::size_t>(got);
            continue;
        }
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) break;
        if (total > 0) break;  // returns the bytes first; the next call sees the end
        return ended();
    }
    return total;
}

Result<std::size_t> ChildProcessTransport::write(std::string_view bytes)
{
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        // For a pipe, SIGPIPE cannot be disabled per write. So the thread blocks it during the write and removes a
        // pending one.
        const auto put = writeWithoutSignal(m_input, bytes.substr(sent));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0 && errno == EAGAIN) break;
        if (put < 0) return ended();
        sent += static_cast<std::size_t>(put);
    }
    return sent;
}

void ChildProcessTransport::wait(bool wantWrite, std::chrono::milliseconds atMost)
{
    std::array<pollfd, 4> fds{
        {{m_output, POLLIN, 0}, {m_errorPipe, POLLIN, 0}, {m_wake, POLLIN, 0}, {wantWrite ? m_input : -1, POLLOUT, 0}}};
    const auto limit = std::clamp<long long>(atMost.count(), 0, 3'600'000);
    if (::poll(fds.data(), fds.size(), static_cast<int>(limit)) <= 0) return;
    if ((fds[1].revents & (POLLIN | POLLHUP)) != 0) readErrors();
    if ((fds[2].revents & POLLIN) != 0) {
        std::uint64_t count = 0;
        while (::read(m_wake, &count, sizeof count) < 0 && errno == EINTR) {}
    }
}

void ChildProcessTransport::wake()
{
    const std::uint64_t one = 1;
    while (::write(m_wake, &one, sizeof one) < 0 && errno == EINTR) {}
}

void ChildProcessTransport::readErrors()
{
    std::array<char, 4096> buffer{};
    // A peer that writes only to stderr must not keep this thread busy: the rest is read in the next turn.
    for (int turn = 0; turn < 16 && m_errorPipe >= 0; ++turn) {
        const ssize_t got = ::read(m_errorPipe, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return;
        if (got == 0) return closeFd(m_errorPipe);
        m_errors.append(buffer.data(), static_cast<std::size_t>(got));
        if (m_errors.size() > errorBytes) m_errors.erase(0, m_errors.size() - errorBytes);
    }
}

Error ChildProcessTransport::ended()
{
    // The output may end a moment before the process does, so a short wait for the exit code is useful.
    for (int attempt = 0; attempt < 50 && m_exit.empty() && m_pid > 0; ++attempt) {
        int status = 0;
        const pid_t got = ::waitpid(m_pid, &status, WNOHANG);
        if (got == m_pid) {
            m_exit = exitText(status);
            ::kill(-m_pid, SIGKILL);  // processes that it left in its group
            m_pid = -1;
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(4));
        }
    }
    readErrors();
    const std::string how = m_exit.empty() ? std::string("closed its output") : m_exit;
    return fail(ErrorKind::unreachable, message("%1 ended (%2).", m_program, how),
                m_errors.empty() ? how : how + ": " + m_errors);
}

}  // namespace rankdeck
