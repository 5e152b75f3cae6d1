// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/node_link.h"

#include "core/node/protocol/reply_codec.h"
#include "core/node/protocol/wire.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankdeck {

namespace {

constexpr std::uint32_t creditStep = 128u << 10;
constexpr std::size_t maxPushBytes = 256u << 20;

Error unexpected(const char *what)
{
    return fail(ErrorKind::protocol, message("The probe sent %1; the connection is closed.", what));
}

}  // namespace

NodeLink::NodeLink(Bootstrap bootstrap, WatchState &watch, LinkTiming timing, bool compress, Moment now)
    : m_bootstrap(std::move(bootstrap)), m_watch(watch), m_timing(timing), m_compress(compress), m_began(now.steady),
      m_heard(now.steady), m_pingAt(now.steady), m_ticked(now.steady), m_out(m_bootstrap.firstBytes())
{
    m_watch.linkLost();
}

void NodeLink::send(FrameType type, std::uint32_t id, std::string_view payload)
{
    m_out += encodeMessage(type, id, payload);
}

void NodeLink::ping(Moment now)
{
    m_pingAt = now.steady;
    m_pingOpen = true;
    std::string payload;
    WireWriter(payload).u64(++m_pingToken);
    send(FrameType::ping, 0, payload);
}

Status NodeLink::feed(std::string_view bytes, Moment now, LinkSink &sink)
{
    if (!bytes.empty()) m_heard = now.steady;
    if (m_phase == Phase::starting) {
        m_early += bytes;
        auto next = m_bootstrap.feed(m_early);
        if (!next) return next.error();
        if (!*next) return Done{};
        m_out += **next;
        if (auto started = start(now); !started) return started;
        m_reader.feed(std::exchange(m_early, {}));
    } else {
        m_reader.feed(bytes);
    }
    for (;;) {
        auto frame = m_reader.next();
        if (!frame) return frame.error();
        if (!*frame) return Done{};
        if (auto taken = take(std::move(**frame), now, sink); !taken) return taken;
    }
}

Status NodeLink::start(Moment now)
{
    m_phase = Phase::greeting;
    m_began = now.steady;
    std::string hello;
    WireWriter writer(hello);
    writer.u32(static_cast<std::uint32_t>(m_timing.lease.count()));
    writer.u8(m_compress ? 1 : 0);
    writer.u32(static_cast<std::uint32_t>(m_timing.lost.count()));
    send(FrameType::hello, 0, hello);
    return Done{};
}

Status NodeLink::tick(Moment now)
{
    m_ticked = now.steady;
    const auto silence = now.steady - m_heard;
    const bool waiting = m_phase != Phase::live;
    if (waiting && now.steady - m_began > m_timing.start)
        return fail(ErrorKind::unreachable,
                    message("Connected, but the probe did not start within %1. Check that a login there can run "
                            "commands, and python3.",
                            durationText(std::chrono::duration<double>(m_timing.start).count())));
    if (!waiting && silence > m_timing.lost)
        return fail(ErrorKind::unreachable,
                    message("No contact for %1.", durationText(std::chrono::duration<double>(silence).count())));
    if (!waiting && now.steady - m_pingAt >= m_timing.heartbeat) ping(now);
    return Done{};
}

SteadyTime NodeLink::nextTick() const
{
    if (m_phase != Phase::live) return m_began + m_timing.start + std::chrono::milliseconds(1);
    const SteadyTime beat = m_pingAt + m_timing.heartbeat;
    const SteadyTime turn = m_heard + m_timing.stale + std::chrono::milliseconds(1);
    const SteadyTime end = m_heard + m_timing.lost + std::chrono::milliseconds(1);
    return turn > m_ticked ? std::min({beat, end, turn}) : std::min(beat, end);
}

void NodeLink::request(EncodedRequest request, Completion done)
{
    const std::uint32_t id = m_nextRequest++;
    if (m_nextRequest == 0) m_nextRequest = 1;
    m_pending[id] = Pending{std::move(done), request.replyLimit, {}};
    send(request.type, id, request.payload);
}

Status NodeLink::watchChanged()
{
    if (m_phase == Phase::starting || m_phase == Phase::greeting) return Done{};  // sent whole with the greeting
    auto payload = m_watch.encode();
    if (!payload) return payload.error();
    send(FrameType::watch, 0, *payload);
    return Done{};
}

void NodeLink::close(const Error &error)
{
    auto pending = std::move(m_pending);
    m_pending.clear();
    m_directoryParts.clear();
    m_processParts.clear();
    m_held = 0;
    // An error has no body, so decoding cannot fail.
    for (auto &[id, open] : pending) static_cast<void>(open.done(error));
}

Status NodeLink::take(Frame frame, Moment now, LinkSink &sink)
{
    if (frame.type != FrameType::hello && m_phase == Phase::greeting) return unexpected("messages before its greeting");
    switch (frame.type) {
    case FrameType::hello: return takeHello(frame, now);
    case FrameType::pong: return takePong(frame, now, sink);
    case FrameType::reply: return takeReply(std::move(frame));
    case FrameType::tailData:
    case FrameType::tailEvent: return takeTail(frame, sink);
    case FrameType::directory: return takeDirectory(std::move(frame), sink);
    case FrameType::processList: return takeProcesses(std::move(frame), sink);
    default: return unexpected("a frame that only Rankdeck may send");
    }
}

Status NodeLink::takeHello(const Frame &frame, Moment now)
{
    if (m_phase != Phase::greeting || !frame.last) return unexpected("a second greeting");
    auto hello = decodeHello(frame.payload);
    if (!hello) return hello.error();
    m_facts = std::move(hello->facts);
    m_phase = Phase::measuring;
    // The round trip of the greeting includes the start of Python; this ping does not.
    ping(now);
    return watchChanged();
}

Status NodeLink::takePong(const Frame &frame, Moment now, LinkSink &sink)
{
    WireReader reader(frame.payload);
    const std::uint64_t token = reader.u64();
    const std::int64_t wallNs = reader.i64();
    if (!reader.finished() || !frame.last) return unexpected("a heartbeat that cannot be read");
    if (token != m_pingToken || !m_pingOpen) return Done{};  // a late answer, after a stall
    m_pingOpen = false;
    m_facts.roundTripSeconds = std::chrono::duration<double>(now.steady - m_pingAt).count();
    measureClock(secondsBetween(now.wall, wallFromNs(wallNs)) + m_facts.roundTripSeconds / 2,
                 m_facts.roundTripSeconds / 2, now);
    if (m_phase == Phase::measuring) {
        m_phase = Phase::live;
        sink.greeted(m_facts);
    } else {
        sink.measured(m_facts);
    }
    return Done{};
}

// A slow answer measures a clock badly. The best measurement stays until a better one arrives, or one that contradicts
// it because a clock was set. With time, the stored measurement becomes less certain, because clocks drift.
void NodeLink::measureClock(double skew, double uncertainty, Moment now)
{
    constexpr double drift = 1e-4;  // of two undisciplined clocks
    const double kept = m_skewUncertainty + drift * std::chrono::duration<double>(now.steady - m_skewAt).count();
    const bool contradicts = std::abs(skew - m_facts.clockSkewSeconds) > uncertainty + kept;
    if (uncertainty > kept && !contradicts) return;
    m_facts.clockSkewSeconds = skew;
    m_skewUncertainty = uncertainty;
    m_skewAt = now.steady;
}

bool NodeLink::overBudget() const { return m_held > m_timing.heldBytes; }

Status NodeLink::takeReply(Frame frame)
{
    const auto found = m_pending.find(frame.id);
    if (found == m_pending.end()) return unexpected("an answer to no request");
    Pending &pending = found->second;
    pending.body += frame.payload;
    m_held += frame.payload.size();
    if (pending.body.size() > pending.limit) return unexpected("a longer answer than requested");
    if (overBudget()) return unexpected("more at once than fits into memory");
    if (!frame.last) return Done{};
    Pending done = std::move(pending);
    m_held -= done.body.size();
    m_pending.erase(found);
    auto body = replyBody(done.body);
    const bool broken = !body && body.error().kind == ErrorKind::protocol;
    Status understood = done.done(body);
    if (broken) return body.error();
    return understood;
}

Status NodeLink::takeTail(const Frame &frame, LinkSink &sink)
{
    if (!frame.last) return unexpected("a piece of a file that is too long");
    if (frame.type == FrameType::tailEvent) {
        auto event = decodeTailEvent(frame.payload);
        if (!event) return event.error();
        if (auto told = m_watch.apply(frame.id, std::move(*event)); told) sink.tailEvent(std::move(*told));
        return Done{};
    }
    auto chunk = decodeTailChunk(frame.payload);
    if (!chunk) return chunk.error();
    m_unpaid += static_cast<std::uint32_t>(chunk->bytes.size());
    if (auto told = m_watch.apply(frame.id, std::move(*chunk)); told) sink.tailChunk(std::move(*told));
    if (m_unpaid >= creditStep) {
        std::string credit;
        WireWriter(credit).u32(m_unpaid);
        m_unpaid = 0;
        send(FrameType::credit, 0, credit);
    }
    return Done{};
}

Status NodeLink::takeDirectory(Frame frame, LinkSink &sink)
{
    // Not requested, or no longer requested: it is not stored.
    if (!m_watch.watchesDirectory(frame.id)) {
        if (auto left = m_directoryParts.extract(frame.id)) m_held -= left.mapped().size();
        return Done{};
    }
    std::string &parts = m_directoryParts[frame.id];
    parts += frame.payload;
    m_held += frame.payload.size();
    if (parts.size() > maxPushBytes) return unexpected("an endless directory");
    if (overBudget()) return unexpected("more at once than fits into memory");
    if (!frame.last) return Done{};
    m_held -= parts.size();
    auto delta = decodeDirectory(parts);
    m_directoryParts.erase(frame.id);
    if (!delta) return delta.error();
    auto told = m_watch.apply(frame.id, std::move(*delta));
    if (!told) return told.error();
    if (*told && (*told)->unchanged)
        sink.directoryUnchanged((*told)->id, (*told)->listing.asOfNs);
    else if (*told)
        sink.directory((*told)->id, std::move((*told)->listing));
    return Done{};
}

Status NodeLink::takeProcesses(Frame frame, LinkSink &sink)
{
    m_processParts += frame.payload;
    m_held += frame.payload.size();
    if (m_processParts.size() > maxPushBytes || overBudget()) return unexpected("an endless process list");
    if (!frame.last) return Done{};
    m_held -= m_processParts.size();
    const std::string parts = std::exchange(m_processParts, {});
    WireReader reader(parts);
    const std::uint8_t same = reader.u8();
    if (!reader.ok() || same > 1 || (same == 1 && parts.size() != 1)) return unexpected("an odd process list");
    if (same == 0) {
        auto processes = decodeProcessList(std::string_view(parts).substr(1));
        if (!processes) return processes.error();
        m_processes = std::move(*processes);
    }
    if (m_watch.spec().processes) sink.processes(m_processes);
    return Done{};
}

}  // namespace rankdeck
