// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/relay/relay.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/protocol/bootstrap.h"
#include "core/node/session/relay/relay_source.h"
#include "core/node/session/relay/relay_stream.h"

#include <algorithm>

namespace rankdeck {

namespace {

Error notStarted(const std::string &name, const Transport &outer, const Bootstrap &bootstrap, const Error &error)
{
    const std::string said = printableLines(outer.errorOutput());
    if (saysNoPython(said))
        return fail(ErrorKind::unsupported, message("No python3 of version 3.6 or newer was found on the relay %1; the "
                                                    "relay needs nothing else. The relay said: %2",
                                                    name, said));
    const std::string heard = printableLines(bootstrap.chatter()) + (said.empty() ? "" : " " + said);
    return fail(error.kind, heard.find_first_not_of(" \n") == std::string::npos
                                ? message("The relay %1 did not start: %2", name, error.message)
                                : message("The relay %1 did not start: %2 It said: %3", name, error.message, heard));
}

// Sends the program and waits for its first answer.
Status greet(Transport &outer, Bootstrap &bootstrap, RelayMux &mux, const Phase &phase)
{
    std::string out = bootstrap.firstBytes(), in;
    bool running = false;
    while (!mux.greeted()) {
        if (phase.isStopped()) return fail(ErrorKind::cancelled, message("Cancelled."));
        if (phase.isOver()) return fail(ErrorKind::unreachable, message("it did not answer in time."));
        const std::string_view next = out.empty() && running ? mux.outgoing() : std::string_view(out);
        const auto sent = outer.write(next);
        if (!sent) return sent.error();
        if (!out.empty())
            out.erase(0, *sent);
        else if (running)
            mux.sent(*sent);
        outer.wait(*sent < next.size(), std::chrono::milliseconds(phase.slice()));
        const auto got = outer.read(in);
        if (!running) {
            auto ready = bootstrap.feed(in);
            if (!ready) return ready.error();
            if (*ready) out += **ready;
            running = ready->has_value();
        }
        if (running && !in.empty())
            if (const Status fed = mux.feed(std::exchange(in, {})); !fed) return fed;
        if (!got && !mux.greeted()) return got.error();
    }
    return Done{};
}

}  // namespace

Result<std::shared_ptr<Relay>> Relay::start(std::string name, std::unique_ptr<Transport> outer, std::string text,
                                            const Phase &phase, RelayTiming timing)
{
    Bootstrap bootstrap(randomNonce(), builtInRelay());
    RelayMux mux(std::move(text), timing.lease);
    if (const Status greeted = greet(*outer, bootstrap, mux, phase); !greeted) {
        if (greeted.error().kind == ErrorKind::cancelled) return greeted.error();
        return notStarted(name, *outer, bootstrap, greeted.error());
    }
    return std::shared_ptr<Relay>(new Relay(std::move(name), std::move(outer), std::move(mux), timing));
}

Relay::Relay(std::string name, std::unique_ptr<Transport> outer, RelayMux mux, RelayTiming timing)
    : m_name(std::move(name)), m_security(outer->security()), m_timing(timing), m_outer(std::move(outer)),
      m_lastContact(steadyNow()), m_askedAt(m_lastContact), m_mux(std::move(mux))
{
    m_thread = std::thread([this] { serve(); });
}

Relay::~Relay()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
        wakeThread();
    }
    m_thread.join();
}

void Relay::wakeThread()
{
    if (!m_awake && m_outer) m_outer->wake();
    m_awake = true;
}

Error Relay::gone() const
{
    return fail(ErrorKind::unreachable, message("The relay %1 is gone: %2", m_name, m_whyDead));
}

Result<std::unique_ptr<Transport>> Relay::run(const std::vector<std::string> &argv)
{
    const std::lock_guard lock(m_mutex);
    if (m_dead) return gone();
    const std::uint32_t stream = m_mux.open(argv);
    auto waiting = std::make_shared<Waiting>();
    m_waiting.emplace(stream, waiting);
    wakeThread();
    return std::unique_ptr<Transport>(std::make_unique<Stream>(shared_from_this(), stream, std::move(waiting)));
}

void Relay::serve()
{
    std::string bytes;
    while (!m_stop) {
        bool more = false;
        Status moved = moveOut(more);
        if (moved) {
            const auto now = steadyNow();
            const auto pause = std::chrono::ceil<std::chrono::milliseconds>(m_askedAt + m_timing.ping - now);
            m_outer->wait(more, std::clamp(pause, std::chrono::milliseconds(0), m_timing.ping));
            moved = moveIn(bytes);
        }
        if (!moved) die(moved.error());
        if (m_dead) break;
        checkPulse(steadyNow(), !bytes.empty());
    }
    die(fail(ErrorKind::cancelled, message("it was closed.")));
    std::unique_ptr<Transport> outer;
    const std::lock_guard lock(m_mutex);
    outer.swap(m_outer);
}

Status Relay::moveOut(bool &more)
{
    const std::lock_guard lock(m_mutex);
    m_awake = false;
    if (m_mux.outgoing().empty()) return Done{};
    const auto sent = m_outer->write(m_mux.outgoing());
    if (!sent) return sent.error();
    m_mux.sent(*sent);
    more = !m_mux.outgoing().empty();
    return Done{};
}

Status Relay::moveIn(std::string &bytes)
{
    bytes.clear();
    const auto got = m_outer->read(bytes);
    const std::lock_guard lock(m_mutex);
    const Status fed = m_mux.feed(bytes);
    for (const std::uint32_t stream : m_mux.touched())
        if (const auto it = m_waiting.find(stream); it != m_waiting.end()) it->second->changed.notify_all();
    if (!fed) return fed;
    return got ? Status(Done{}) : Status(got.error());
}

// A head node behind a dead link is silent for ever; only a request without an answer reveals it.
void Relay::checkPulse(SteadyTime now, bool heard)
{
    if (heard) m_lastContact = now;
    if (now - m_lastContact > m_timing.lost)
        return die(
            fail(ErrorKind::unreachable,
                 message("no contact for %1.", durationText(std::chrono::duration<double>(m_timing.lost).count()))));
    if (now - m_askedAt < m_timing.ping) return;
    m_askedAt = now;
    const std::lock_guard lock(m_mutex);
    m_mux.ping();
}

void Relay::die(const Error &why)
{
    const std::lock_guard lock(m_mutex);
    if (m_dead) return;
    const std::string said = m_outer ? printableLines(m_outer->errorOutput()) : std::string();
    m_whyDead = said.empty() || why.kind == ErrorKind::cancelled ? why.message
                                                                 : joined({why.message, message("It said: %1", said)});
    m_dead = true;
    for (const auto &[stream, waiting] : m_waiting) waiting->changed.notify_all();
}

// ---- streams

Relay::Stream::~Stream()
{
    const std::lock_guard lock(m_relay->m_mutex);
    m_relay->m_mux.close(m_stream);
    m_relay->m_waiting.erase(m_stream);
    m_relay->wakeThread();
}

Result<std::size_t> Relay::Stream::read(std::string &into)
{
    const std::lock_guard lock(m_relay->m_mutex);
    RelayMux &mux = m_relay->m_mux;
    const std::size_t before = mux.outgoing().size();
    const std::size_t got = mux.read(m_stream, into);
    if (mux.outgoing().size() != before) m_relay->wakeThread();
    if (got > 0) return got;
    if (const RelayMux::Ended *end = mux.ended(m_stream)) return endError(*end);
    if (m_relay->m_dead) return m_relay->gone();
    return got;
}

Error Relay::Stream::endError(const RelayMux::Ended &end) const
{
    const std::string how =
        end.status < 0 ? "ended by signal " + std::to_string(-end.status) : "exit code " + std::to_string(end.status);
    return fail(ErrorKind::unreachable, message("The session opened by the relay %1 ended (%2).", m_relay->m_name, how),
                end.said.empty() ? how : how + ": " + printable(end.said));
}

Result<std::size_t> Relay::Stream::write(std::string_view bytes)
{
    const std::lock_guard lock(m_relay->m_mutex);
    if (m_relay->m_dead) return m_relay->m_mux.canRead(m_stream) ? Result<std::size_t>(0) : m_relay->gone();
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        const std::size_t part = m_relay->m_mux.write(m_stream, bytes.substr(taken));
        if (part == 0) break;
        taken += part;
    }
    if (taken > 0) m_relay->wakeThread();
    return taken;
}

void Relay::Stream::wait(bool wantWrite, std::chrono::milliseconds atMost)
{
    std::unique_lock lock(m_relay->m_mutex);
    const auto limit = std::clamp(atMost, std::chrono::milliseconds(0), std::chrono::milliseconds(3'600'000));
    waitFor(m_waiting->changed, lock, limit, [&] {
        return m_waiting->woken || m_relay->m_dead || m_relay->m_mux.canRead(m_stream) ||
               (wantWrite && m_relay->m_mux.canWrite(m_stream));
    });
    m_waiting->woken = false;
}

void Relay::Stream::wake()
{
    {
        const std::lock_guard lock(m_relay->m_mutex);
        m_waiting->woken = true;
    }
    m_waiting->changed.notify_all();
}

std::string Relay::Stream::errorOutput() const
{
    const std::lock_guard lock(m_relay->m_mutex);
    const RelayMux::Ended *end = m_relay->m_mux.ended(m_stream);
    return end == nullptr ? std::string() : end->said;
}

std::string Relay::Stream::security() const
{
    return m_relay->m_security.empty() ? std::string() : m_relay->m_security + " to the relay " + m_relay->m_name;
}

}  // namespace rankdeck
