// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/greeted_transport.h"

#include "core/base/text.h"

namespace rankdeck {

namespace {

constexpr std::size_t mostChatter = 1u << 20;  // limit for the output of rc files

}  // namespace

Result<std::unique_ptr<Transport>> GreetedTransport::start(std::unique_ptr<Transport> inner, GreetedWords words,
                                                           const Phase &phase)
{
    std::unique_ptr<GreetedTransport> made(new GreetedTransport(std::move(inner), std::move(words)));
    for (;;) {
        const auto got = made->m_inner->read(made->m_first);
        if (!got) return made->m_words.explain(made->m_inner->errorOutput(), got.error());
        const std::string &greeting = made->m_words.greeting;
        if (*got > 0 && made->m_first.find(greeting) != std::string::npos)
            return std::unique_ptr<Transport>(std::move(made));
        if (made->m_first.size() > mostChatter)
            return fail(ErrorKind::protocol,
                        message("Unexpected output came from there: %1…", printable(made->m_first.substr(0, 80))));
        if (phase.isStopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
        if (phase.isOver()) return fail(ErrorKind::unreachable, made->m_words.late, printable(made->errorOutput()));
        made->m_inner->wait(false, std::chrono::milliseconds(phase.slice()));
    }
}

Result<std::size_t> GreetedTransport::explained(Result<std::size_t> moved) const
{
    if (moved || !m_words.explainLater) return moved;
    return m_words.explain(m_inner->errorOutput(), moved.error());
}

Result<std::size_t> GreetedTransport::read(std::string &into)
{
    if (m_first.empty()) return explained(m_inner->read(into));
    const std::size_t size = m_first.size();
    into += m_first;
    m_first.clear();
    return size;
}

Result<std::size_t> GreetedTransport::write(std::string_view bytes) { return explained(m_inner->write(bytes)); }

void GreetedTransport::wait(bool wantWrite, std::chrono::milliseconds atMost)
{
    if (m_first.empty()) m_inner->wait(wantWrite, atMost);
}

std::string GreetedTransport::errorOutput() const
{
    return m_words.shown ? m_words.shown(m_inner->errorOutput()) : m_inner->errorOutput();
}

std::string GreetedTransport::security() const
{
    const std::string inner = m_inner->security();
    return inner.empty() || m_words.security.empty() ? inner + m_words.security : inner + ", " + m_words.security;
}

}  // namespace rankdeck
