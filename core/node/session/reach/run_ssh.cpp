// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/reach/run_ssh.h"

#include "core/base/clock.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace rankdeck {

namespace {

struct Reader {
    int fd = -1;
    std::size_t limit = 0;
    std::string text = {};

    void take()
    {
        char buffer[8192];
        const ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (got > 0) {
            text.append(buffer, std::min(std::size_t(got), limit - text.size()));  // bytes beyond the limit are dropped
            return;
        }
        close(fd);
        fd = -1;
    }
};

Result<pid_t> spawn(const std::vector<std::string> &argv, int out, int err)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);  // reset it: this process ignores it, and its children would inherit that
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::vector<char *> args;
    for (const std::string &argument : argv) args.push_back(const_cast<char *>(argument.c_str()));
    args.push_back(nullptr);
    pid_t pid = -1;
    const int failed = posix_spawnp(&pid, args[0], &actions, &attributes, args.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return fail(ErrorKind::notFound,
                    message("The program \"%1\" could not be started (%2). Install the OpenSSH client.", argv[0],
                            std::strerror(failed)));
    return pid;
}

int waitFor(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<ProgramResult> runToEnd(const std::vector<std::string> &argv, std::chrono::milliseconds atMost,
                               const std::function<bool()> &stopped)
{
    int out[2];
    int err[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        return fail(ErrorKind::internal, message("Cannot create more pipes; close some connections."));
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return fail(ErrorKind::internal, message("Cannot create more pipes; close some connections."));
    }
    const Result<pid_t> pid = spawn(argv, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    std::array<Reader, 2> readers = {Reader{out[0], 1u << 20}, Reader{err[0], 64u << 10}};
    const auto end = steadyNow() + atMost;
    Error ended;
    bool gaveUp = false;
    while (pid && !gaveUp && (readers[0].fd >= 0 || readers[1].fd >= 0)) {
        std::array<pollfd, 2> fds = {pollfd{readers[0].fd, POLLIN, 0}, pollfd{readers[1].fd, POLLIN, 0}};
        poll(fds.data(), fds.size(), 50);
        for (std::size_t i = 0; i < fds.size(); ++i)
            if (fds[i].revents) readers[i].take();
        if (stopped && stopped())
            ended = fail(ErrorKind::cancelled, message("Cancelled."));
        else if (steadyNow() > end)
            ended = fail(ErrorKind::timeout, message("\"%1\" did not end in time.", argv[0]));
        else
            continue;
        gaveUp = true;
    }
    for (const Reader &reader : readers)
        if (reader.fd >= 0) close(reader.fd);
    if (!pid) return pid.error();
    if (gaveUp) kill(*pid, SIGKILL);
    const int exitCode = waitFor(*pid);
    if (gaveUp) return ended;
    return ProgramResult{exitCode, std::move(readers[0].text), std::move(readers[1].text)};
}

}  // namespace rankdeck
