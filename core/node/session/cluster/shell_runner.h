// SPDX-License-Identifier: GPL-3.0-or-later
// Runner of commands, one after another through one /bin/sh, on this machine or on an ssh host. One login serves all
// commands. Blocks the calling thread; one thread. Commands are not restricted: they are text for the shell. Errors:
// those of opening the session. Also timeout and unreachable if there was no answer: then the effect of the command is
// unknown, and the next call opens a new session.
#pragma once

#include "core/base/clock.h"
#include "core/job/job.h"
#include "core/node/transport/connect_options.h"
#include "core/node/transport/session_factory.h"

#include <functional>
#include <memory>
#include <string>

namespace rankdeck {

struct ShellResult {
    int exitCode = 0;
    std::string output;  // at most 8 MiB; a longer output gives Error protocol
    std::string errors;
};

class ShellRunner {
public:
    // where: the host "local", or a name that ssh accepts.
    ShellRunner(std::shared_ptr<SessionFactory> sessions, NodeSpec where, ConnectOptions options,
                std::function<bool()> stopped);

    // words: one POSIX shell command, quoted by the caller. input: its stdin.
    Result<ShellResult> run(const std::string &words, const std::string &input, SteadyTime deadline);

private:
    Status open();
    Result<ShellResult> ask(const std::string &script, const std::string &mark, SteadyTime deadline);

    std::shared_ptr<SessionFactory> m_sessions;
    NodeSpec m_where;
    ConnectOptions m_options;
    std::function<bool()> m_stopped;
    std::unique_ptr<Transport> m_transport;
};

// Script that runs `words` and prints its output, then a line "MARK code", its stderr, and "MARK." at the end. Pure.
std::string shellScript(const std::string &words, const std::string &input, const std::string &mark);
// nullopt: the end has not arrived yet.
std::optional<ShellResult> parseShellAnswer(const std::string &bytes, const std::string &mark);

}  // namespace rankdeck
