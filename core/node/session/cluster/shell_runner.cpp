// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/cluster/shell_runner.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/protocol/bootstrap.h"

#include <charconv>

namespace rankdeck {

namespace {

constexpr std::size_t mostAnswer = 8u << 20;
constexpr std::chrono::milliseconds slice(100);

}  // namespace

std::string shellScript(const std::string &words, const std::string &input, const std::string &mark)
{
    const std::string stdinText =
        input.empty() ? words + " </dev/null\n" : words + " <<'" + mark + "'\n" + input + "\n" + mark + "\n";
    return "{ e=$( { " + stdinText + "} 2>&1 1>&3 ); r=$?; } 3>&1; printf '\\n" + mark + " %d\\n%s\\n" + mark +
           ".\\n' $r \"$e\"\n";
}

std::optional<ShellResult> parseShellAnswer(const std::string &bytes, const std::string &mark)
{
    const std::size_t last = bytes.find("\n" + mark + ".\n");
    const std::size_t first = bytes.find("\n" + mark + " ");
    if (last == std::string::npos || first == std::string::npos || first >= last) return {};
    ShellResult result{.exitCode = 0, .output = bytes.substr(0, first), .errors = {}};
    const std::size_t code = first + mark.size() + 2;
    const std::size_t line = bytes.find('\n', code);
    std::from_chars(bytes.data() + code, bytes.data() + line, result.exitCode);
    if (line < last) result.errors = bytes.substr(line + 1, last - line - 1);
    return result;
}

ShellRunner::ShellRunner(std::shared_ptr<SessionFactory> sessions, NodeSpec where, ConnectOptions options,
                         std::function<bool()> stopped)
    : m_sessions(std::move(sessions)), m_where(std::move(where)), m_options(std::move(options)),
      m_stopped(std::move(stopped))
{}

Status ShellRunner::open()
{
    if (m_transport) return Done{};
    // The login asks the operator nothing here: the nodes behind this host log in to it first, and they have already
    // asked.
    auto opened = m_sessions->open(m_where, m_options, "exec /bin/sh",
                                   {.hostKey = [](const HostKeyQuestion &) { return Answer{}; },
                                    .auth = [](const AuthQuestion &) { return Answer{}; },
                                    .stopped = m_stopped});
    if (!opened) return opened.error();
    m_transport = std::move(*opened);
    return Done{};
}

Result<ShellResult> ShellRunner::run(const std::string &words, const std::string &input, SteadyTime deadline)
{
    if (Status opened = open(); !opened) return opened.error();
    const std::string mark = "rankdeck-" + randomNonce();
    auto answer = ask(shellScript(words, input, mark), mark, deadline);
    if (!answer) m_transport.reset();
    return answer;
}

Result<ShellResult> ShellRunner::ask(const std::string &script, const std::string &mark, SteadyTime deadline)
{
    std::string answer;
    std::size_t sent = 0;
    while (true) {
        if (sent < script.size()) {
            const auto taken = m_transport->write(std::string_view(script).substr(sent));
            if (!taken) return taken.error();
            sent += *taken;
        }
        const auto got = m_transport->read(answer);
        if (auto result = parseShellAnswer(answer, mark)) return *std::move(result);
        if (!got) return got.error();
        if (answer.size() > mostAnswer) return fail(ErrorKind::protocol, message("The answer is larger than 8 MiB."));
        if (m_stopped && m_stopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
        if (steadyNow() >= deadline)
            return fail(ErrorKind::timeout, message("No answer came in time."), printable(m_transport->errorOutput()));
        if (*got == 0) m_transport->wait(sent < script.size(), slice);
    }
}

}  // namespace rankdeck
