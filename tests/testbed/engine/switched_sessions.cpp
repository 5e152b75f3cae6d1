// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testbed/engine/switched_sessions.h"

#include "core/node/transport/child_process_transport.h"

#include <atomic>

namespace rankdeck {

namespace {

class SwitchedTransport final : public Transport {
public:
    SwitchedTransport(std::unique_ptr<Transport> inner, std::shared_ptr<std::atomic<int>> generation)
        : m_inner(std::move(inner)), m_generation(std::move(generation)), m_own(*m_generation)
    {}
    Result<std::size_t> read(std::string &into) override { return isCut() ? ended() : m_inner->read(into); }
    Result<std::size_t> write(std::string_view bytes) override { return isCut() ? ended() : m_inner->write(bytes); }
    void wait(bool wantWrite, std::chrono::milliseconds atMost) override
    {
        m_inner->wait(wantWrite, isCut() ? std::chrono::milliseconds(0) : std::min(atMost, mostWait));
    }
    void wake() override { m_inner->wake(); }
    [[nodiscard]] std::string errorOutput() const override { return m_inner->errorOutput(); }

private:
    static constexpr std::chrono::milliseconds mostWait{100};  // so that a cut is noticed
    [[nodiscard]] bool isCut() const { return *m_generation != m_own; }
    static Result<std::size_t> ended() { return fail(ErrorKind::unreachable, "the link was cut"); }

    std::unique_ptr<Transport> m_inner;
    std::shared_ptr<std::atomic<int>> m_generation;
    int m_own;
};

}  // namespace

SwitchedSessions::SwitchedSessions() : m_real(makeSessionFactory()) {}

void SwitchedSessions::cut(const std::string &node)
{
    const std::lock_guard lock(m_mutex);
    m_switches[node].cut = true;
    ++*m_switches[node].generation;
}

void SwitchedSessions::join(const std::string &node)
{
    const std::lock_guard lock(m_mutex);
    m_switches[node].cut = false;
}

void SwitchedSessions::putBehind(const std::string &node, std::vector<std::string> words)
{
    const std::lock_guard lock(m_mutex);
    m_switches[node].words = std::move(words);
    ++*m_switches[node].generation;
}

Result<std::unique_ptr<Transport>> SwitchedSessions::open(const NodeSpec &node, const ConnectOptions &options,
                                                          const std::string &command, const Questions &questions)
{
    std::unique_lock lock(m_mutex);
    const Switch at = m_switches[node.name];
    lock.unlock();
    if (at.cut) return fail(ErrorKind::unreachable, "the link was cut");
    Result<std::unique_ptr<Transport>> inner = fail(ErrorKind::internal, "");
    if (at.words.empty()) {
        inner = m_real->open(node, options, command, questions);
    } else {
        std::vector<std::string> argv = at.words;
        for (const std::string &word : {std::string("/bin/sh"), std::string("-c"), command}) argv.push_back(word);
        inner = ChildProcessTransport::start(argv);
    }
    if (!inner) return inner.error();
    return std::unique_ptr<Transport>(new SwitchedTransport(std::move(inner.value()), at.generation));
}

}  // namespace rankdeck
