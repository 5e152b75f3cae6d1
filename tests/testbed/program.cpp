// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/program.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace rankdeck {

ProgramOutput runProgram(const std::vector<std::string> &argv, const std::string &input)
{
    int in[2];
    int out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no more pipes");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, out[1], 2);
    std::vector<char *> args;
    for (const std::string &argument : argv) args.push_back(const_cast<char *>(argument.c_str()));
    args.push_back(nullptr);
    pid_t pid = -1;
    const int failed = posix_spawnp(&pid, args[0], &actions, nullptr, args.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    ProgramOutput result;
    if (failed) {
        close(in[1]);
        close(out[0]);
        return {127, argv[0] + " could not be started"};
    }
    // The inputs of tests fit into a pipe, so reads and writes need not alternate.
    if (!input.empty() && write(in[1], input.data(), input.size()) < 0) result.out = "(stdin was closed)\n";
    close(in[1]);
    char buffer[4096];
    for (ssize_t got; (got = read(out[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR);)
        if (got > 0) result.out.append(buffer, std::size_t(got));
    close(out[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace rankdeck
