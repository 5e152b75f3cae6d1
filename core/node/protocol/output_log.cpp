// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/protocol/output_log.h"

#include "core/base/text.h"

#include <algorithm>

namespace rankdeck {

namespace {

constexpr std::size_t mostHeld = 64u << 20, mostChatter = 64u << 10;
constexpr std::size_t kept = 4096;  // last bytes, by which the known part is found again
constexpr std::size_t piece = 256u << 10;
constexpr std::chrono::milliseconds quiet(500);
constexpr std::chrono::seconds oldLines(5);  // for a log that never pauses; afterwards lines are reported as they come

std::uint64_t numberOf(const std::string &text)
{
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a, because the next console must compute the same value
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return std::max<std::uint64_t>(hash, 1);
}

}  // namespace

void OutputLog::begin()
{
    m_held.clear();
    m_header.reset();
    m_settled = false;
    m_drop = 0;
}

void OutputLog::takeHeader()
{
    const std::size_t at = m_held.find(outputMark);
    const std::size_t end = at == std::string::npos ? at : m_held.find('\n', at);
    if (end == std::string::npos) {
        if (m_held.size() > mostChatter) m_held.erase(0, m_held.size() - mostChatter);
        return;
    }
    const auto words = split(m_held.substr(at + outputMark.size(), end - at - outputMark.size()), ' ');
    m_held.erase(0, end + 1);
    m_header = Header{.container = words.front(), .oldest = words.size() > 1 ? words[1] : "-"};
    if (words.size() > 2)
        if (const auto newest = parseIsoTime(words[2])) m_header->newest = *newest;
}

OutputLog::News OutputLog::feed(std::string_view bytes, SteadyTime now)
{
    if (m_settled) {
        News news;
        tell(bytes, news);
        return news;
    }
    m_held += bytes;
    m_heard = now;
    if (!m_header) {
        takeHeader();
        m_began = now;
    }
    return tick(now);
}

OutputLog::News OutputLog::tick(SteadyTime now)
{
    if (m_settled || !m_header) return {};
    const bool whole = now - m_heard >= quiet || now - m_began >= oldLines || m_held.size() >= mostHeld;
    return whole ? settle() : News{};
}

OutputLog::News OutputLog::end() { return m_header && !m_settled ? settle() : News{}; }

OutputLog::News OutputLog::settle()
{
    News news;
    m_settled = true;
    const bool known = m_inode != 0;
    if (known && m_header->container == m_container) {
        if (m_header->oldest == m_oldest)
            m_drop = m_offset;
        else
            goOnBehindKnown(news);
    } else {
        m_inode = numberOf(m_header->container + " " + m_header->oldest);
        const bool another = known || (m_spec.from && m_spec.from->inode != 0 && m_spec.from->inode != m_inode);
        m_offset = 0;
        m_back.clear();
        news.event = TailEvent{.id = m_spec.id, .change = another ? TailChange::replaced : TailChange::opened};
        news.event->stat.size = m_held.size();
        news.event->stat.mtimeNs =
            std::chrono::duration_cast<std::chrono::nanoseconds>(m_header->newest.time_since_epoch()).count();
        news.event->stat.inode = m_inode;
    }
    m_container = m_header->container;
    m_oldest = m_header->oldest;
    tell(std::exchange(m_held, {}), news);
    return news;
}

// Old lines were deleted from the beginning of the stream, so the count of bytes is unknown.
void OutputLog::goOnBehindKnown(News &news)
{
    const std::size_t at = m_back.empty() ? 0 : m_held.rfind(m_back);
    if (at != std::string::npos) {
        m_held.erase(0, at + m_back.size());
        return;
    }
    news.event = TailEvent{.id = m_spec.id, .change = TailChange::gap, .from = m_offset, .to = m_offset + 1};
    ++m_offset;  // the number of missing bytes is unknown
}

void OutputLog::tell(std::string_view bytes, News &news)
{
    const std::size_t known = std::min<std::uint64_t>(m_drop, bytes.size());
    m_drop -= known;
    bytes.remove_prefix(known);
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        TailChunk chunk;
        chunk.id = m_spec.id;
        chunk.offset = m_offset;
        chunk.bytes = std::string(bytes.substr(0, piece));
        m_offset += chunk.bytes.size();
        m_back += chunk.bytes;
        if (m_back.size() > kept) m_back.erase(0, m_back.size() - kept);
        chunk.next = {.inode = m_inode, .offset = m_offset};
        chunk.fileSize = m_offset;
        news.chunks.push_back(std::move(chunk));
    }
}

}  // namespace rankdeck
