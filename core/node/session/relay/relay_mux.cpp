// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/relay/relay_mux.h"

#include "core/node/protocol/wire.h"

#include <algorithm>
#include <utility>

namespace rankdeck {

namespace {

constexpr std::uint32_t relayVersion = 1;
constexpr std::uint32_t textNumber = 1;
constexpr std::size_t creditStep = 64u << 10;
constexpr std::size_t mostSaid = 64u << 10;

std::string numberBytes(std::size_t number)
{
    std::string bytes;
    WireWriter(bytes).u32(static_cast<std::uint32_t>(number));
    return bytes;
}

Error broken(const std::string &what) { return fail(ErrorKind::protocol, message("The relay sent %1.", what)); }

}  // namespace

std::string encodeRelayFrame(RelayFrame type, std::uint32_t stream, std::string_view payload)
{
    std::string out;
    out.reserve(relayHeaderBytes + payload.size());
    WireWriter header(out);
    header.u32(static_cast<std::uint32_t>(payload.size()));
    header.u8(static_cast<unsigned>(type));
    header.u32(stream);
    return out += payload;
}

RelayMux::RelayMux(std::string text, std::chrono::milliseconds lease) : m_text(std::move(text))
{
    send(RelayFrame::hello, 0, numberBytes(static_cast<std::size_t>(lease.count())));
    for (std::size_t at = 0; at < m_text.size(); at += maxPayload)
        send(RelayFrame::text, textNumber, std::string_view(m_text).substr(at, maxPayload));
}

void RelayMux::send(RelayFrame type, std::uint32_t stream, std::string_view payload)
{
    m_out += encodeRelayFrame(type, stream, payload);
}

void RelayMux::sent(std::size_t bytes)
{
    m_sent += bytes;
    if (m_sent < m_out.size() && m_sent < (1u << 20)) return;
    m_out.erase(0, m_sent);
    m_sent = 0;
}

void RelayMux::ping() { send(RelayFrame::ping, 0, {}); }

std::uint32_t RelayMux::open(const std::vector<std::string> &argv)
{
    std::string words = numberBytes(downWindow);
    WireWriter writer(words);
    for (const std::string &word : argv) writer.blob(word);
    m_streams[++m_last];
    send(RelayFrame::open, m_last, words);
    return m_last;
}

void RelayMux::close(std::uint32_t stream)
{
    const auto it = m_streams.find(stream);
    if (it == m_streams.end()) return;
    if (!it->second.end) send(RelayFrame::close, stream, {});
    m_streams.erase(it);
}

std::size_t RelayMux::write(std::uint32_t stream, std::string_view bytes)
{
    const auto it = m_streams.find(stream);
    if (it == m_streams.end() || it->second.end) return bytes.size();  // dropped: the stream has ended
    Stream &to = it->second;
    if (!to.textSent && !m_text.empty() && bytes.starts_with(m_text) && m_text.size() <= to.window) {
        send(RelayFrame::sendText, stream, numberBytes(textNumber));
        to.textSent = true;
        to.window -= m_text.size();
        return m_text.size();
    }
    const std::string_view part = bytes.substr(0, std::min(bytes.size(), to.window));
    if (part.empty()) return 0;
    send(RelayFrame::data, stream, part);
    to.window -= part.size();
    return part.size();
}

std::size_t RelayMux::read(std::uint32_t stream, std::string &into)
{
    const auto it = m_streams.find(stream);
    if (it == m_streams.end()) return 0;
    Stream &from = it->second;
    const std::size_t size = from.incoming.size();
    if (into.empty())
        into.swap(from.incoming);
    else
        into += from.incoming;
    from.incoming.clear();
    from.owed += size;
    if (from.owed >= creditStep && !from.end) {
        send(RelayFrame::credit, stream, numberBytes(from.owed));
        from.owed = 0;
    }
    return size;
}

bool RelayMux::canWrite(std::uint32_t stream) const
{
    const auto it = m_streams.find(stream);
    return it == m_streams.end() || it->second.end || it->second.window > 0;
}

bool RelayMux::canRead(std::uint32_t stream) const
{
    const auto it = m_streams.find(stream);
    return it == m_streams.end() || it->second.end || !it->second.incoming.empty();
}

const RelayMux::Ended *RelayMux::ended(std::uint32_t stream) const
{
    const auto it = m_streams.find(stream);
    return it != m_streams.end() && it->second.end && it->second.incoming.empty() ? &*it->second.end : nullptr;
}

std::vector<std::uint32_t> RelayMux::touched() { return std::exchange(m_touched, {}); }

Status RelayMux::feed(std::string_view bytes)
{
    m_in += bytes;
    std::string_view rest = m_in;
    while (rest.size() >= relayHeaderBytes) {
        WireReader header(rest.substr(0, relayHeaderBytes));
        const std::uint32_t length = header.u32();
        const std::uint8_t type = header.u8();
        const std::uint32_t stream = header.u32();
        if (length > maxPayload) return broken("a frame of " + std::to_string(length) + " bytes");
        if (rest.size() < relayHeaderBytes + length) break;
        if (auto taken = take(static_cast<RelayFrame>(type), stream, rest.substr(relayHeaderBytes, length)); !taken)
            return taken;
        rest.remove_prefix(relayHeaderBytes + length);
    }
    m_in.erase(0, m_in.size() - rest.size());
    return Done{};
}

Status RelayMux::take(RelayFrame type, std::uint32_t id, std::string_view payload)
{
    if (type == RelayFrame::greeting) {
        const std::uint32_t version = WireReader(payload).u32();
        if (version != relayVersion) return broken("version " + std::to_string(version));
        m_greeted = true;
        return Done{};
    }
    if (type == RelayFrame::pong) return Done{};
    if (type != RelayFrame::output && type != RelayFrame::taken && type != RelayFrame::end)
        return broken("a frame of type " + std::to_string(static_cast<unsigned>(type)));
    if (id == 0 || id > m_last) return broken("data for a stream that was never opened");
    const auto it = m_streams.find(id);
    if (it == m_streams.end()) return Done{};  // already closed
    if (it->second.end) return broken("data for a stream after its end");
    if (m_touched.empty() || m_touched.back() != id) m_touched.push_back(id);
    return takeFor(it->second, type, payload);
}

Status RelayMux::takeFor(Stream &stream, RelayFrame type, std::string_view payload)
{
    WireReader reader(payload);
    if (type == RelayFrame::output) {
        stream.incoming += payload;
        if (stream.incoming.size() + stream.owed > downWindow) return broken("more than a stream's window");
        return Done{};
    }
    const std::uint32_t number = reader.u32();
    if (!reader.ok()) return broken("a frame that is too short");
    if (type == RelayFrame::end) {
        const std::string_view said = payload.substr(4);
        stream.end = Ended{static_cast<std::int32_t>(number),
                           std::string(said.substr(said.size() - std::min(said.size(), mostSaid)))};
        return Done{};
    }
    stream.window += number;
    if (stream.window > upWindow) return broken("more room than a stream has");
    return Done{};
}

}  // namespace rankdeck
