// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/child.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace rankdeck::demo {
namespace {

std::vector<std::string> mergedEnvironment(const std::map<std::string, std::string> &added)
{
    std::vector<std::string> all;
    for (char **entry = environ; *entry; ++entry) {
        const std::string text = *entry;
        if (!added.contains(text.substr(0, text.find('=')))) all.push_back(text);
    }
    for (const auto &[name, value] : added) all.push_back(name + "=" + value);
    return all;
}

std::vector<char *> pointers(std::vector<std::string> &texts)
{
    std::vector<char *> result;
    result.reserve(texts.size() + 1);
    for (auto &text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

Result<pid_t> startChild(const ChildSpec &spec)
{
    auto argv = spec.argv;
    auto env = mergedEnvironment(spec.env);
    const std::string output = spec.output.empty() ? "/dev/null" : spec.output;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (!spec.workdir.empty()) posix_spawn_file_actions_addchdir_np(&actions, spec.workdir.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // The caller may block or ignore signals; the child must start with the defaults.
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t pid = 0;
    const int problem =
        posix_spawn(&pid, argv.at(0).c_str(), &actions, &attributes, pointers(argv).data(), pointers(env).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0)
        return fail(problem == ENOENT ? ErrorKind::notFound : ErrorKind::internal,
                    "cannot start " + argv[0] + ": " + std::strerror(problem) + ". Is it installed?");
    return pid;
}

Status runToEnd(const ChildSpec &spec)
{
    const auto pid = startChild(spec);
    if (!pid) return pid.error();
    int status = 0;
    while (waitpid(pid.value(), &status, 0) < 0)
        if (errno != EINTR) return fail(ErrorKind::internal, spec.argv[0] + ": " + std::strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Done{};
    std::string said;
    if (!spec.output.empty())
        if (auto text = readLocalFile(spec.output))
            said = text.value().substr(text.value().size() - std::min<std::size_t>(text.value().size(), 500));
    return fail(ErrorKind::internal, spec.argv[0] + " failed: expected exit code 0, found status " +
                                         std::to_string(status) + (said.empty() ? "" : ": " + printableLines(said)));
}

std::string findProgram(const std::string &name)
{
    const char *const path = std::getenv("PATH");
    for (const auto &directory :
         split(std::string(path ? path : "") + ":/usr/sbin:/usr/local/sbin:/usr/bin:/sbin:/bin", ':')) {
        const std::string candidate = joinPath(directory, name);
        // sshd insists on being started with an absolute path.
        if (!directory.empty() && directory[0] == '/' && access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return {};
}

}  // namespace rankdeck::demo
