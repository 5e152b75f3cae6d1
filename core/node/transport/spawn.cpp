// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/transport/spawn.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

namespace rankdeck {

namespace {

class Pipe {
public:
    Pipe() { m_ok = ::pipe2(m_ends.data(), O_CLOEXEC) == 0; }
    ~Pipe()
    {
        for (const int end : m_ends)
            if (end >= 0) ::close(end);
    }
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] int readEnd() const { return m_ends[0]; }
    [[nodiscard]] int writeEnd() const { return m_ends[1]; }
    int keep(std::size_t end)
    {
        const int fd = m_ends[end];
        m_ends[end] = -1;
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
        return fd;
    }

private:
    std::array<int, 2> m_ends{-1, -1};
    bool m_ok = false;
};

// Attributes for posix_spawn: own session, default signals, no blocked signals.
class SpawnSetup {
public:
    SpawnSetup(int input, int output, int errors)
    {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        ::posix_spawnattr_init(&attributes);
        sigset_t none;
        sigset_t usual;
        ::sigemptyset(&none);
        ::sigemptyset(&usual);
        for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::sigaddset(&usual, number);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &usual);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnSetup()
    {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnSetup(const SpawnSetup &) = delete;
    SpawnSetup &operator=(const SpawnSetup &) = delete;
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

}  // namespace

Result<SpawnedChild> spawnChild(const std::vector<std::string> &argv)
{
    if (argv.empty() || argv.front().empty()) return fail(ErrorKind::invalid, message("No program was named."));
    Pipe input;
    Pipe output;
    Pipe errors;
    if (!input.ok() || !output.ok() || !errors.ok())
        return fail(ErrorKind::internal,
                    message("Too many open files on this machine; close some programs or raise the limit."),
                    std::strerror(errno));
    const SpawnSetup setup(input.readEnd(), output.writeEnd(), errors.writeEnd());
    std::vector<char *> words;
    words.reserve(argv.size() + 1);
    for (const std::string &word : argv) words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = -1;
    const int code = ::posix_spawnp(&pid, words.front(), &setup.actions, &setup.attributes, words.data(), environ);
    if (code != 0)
        return fail(code == EACCES ? ErrorKind::permission : ErrorKind::notFound,
                    message("Cannot run %1: %2.", argv.front(), std::strerror(code)));
    return SpawnedChild{pid, input.keep(1), output.keep(0), errors.keep(0)};
}

ssize_t writeWithoutSignal(int fd, std::string_view bytes)
{
    sigset_t pipeOnly;
    sigset_t before;
    sigset_t pending;
    ::sigemptyset(&pipeOnly);
    ::sigaddset(&pipeOnly, SIGPIPE);
    ::sigpending(&pending);
    const bool wasPending = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipeOnly, &before);
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    const int code = errno;
    if (put < 0 && code == EPIPE && !wasPending) {
        const timespec now{};
        while (::sigtimedwait(&pipeOnly, nullptr, &now) < 0 && errno == EINTR) {}
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = code;
    return put;
}

}  // namespace rankdeck
