// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/follow/line_follower.h"

#include <algorithm>
#include <cstring>

namespace rankdeck {

namespace {

constexpr std::uint32_t maxRange = 8u << 20;
constexpr int patience = 3;

const char *lineEnd(std::string_view bytes)
{
    return static_cast<const char *>(std::memchr(bytes.data(), '\n', bytes.size()));
}

// A carriage return followed by anything other than a line end: a progress bar is drawn again there.
bool redrawsAt(std::string_view bytes, std::size_t at)
{
    return bytes[at] == '\r' && at + 1 < bytes.size() && bytes[at + 1] != '\n' && bytes[at + 1] != '\r';
}

// The form that tqdm, Keras and similar programs draw.
bool isBar(std::string_view line)
{
    return line.find("%|") != std::string_view::npos || line.find("it/s") != std::string_view::npos ||
           line.find(" [=") != std::string_view::npos;
}

std::size_t firstRedraw(std::string_view bytes)
{
    std::size_t at = bytes.find('\r');
    while (at != std::string_view::npos && !redrawsAt(bytes, at)) at = bytes.find('\r', at + 1);
    return at;
}

std::size_t lastRedraw(std::string_view bytes)
{
    std::size_t at = bytes.rfind('\r');
    while (at != std::string_view::npos && !redrawsAt(bytes, at))
        at = at == 0 ? std::string_view::npos : bytes.rfind('\r', at - 1);
    return at;
}

}  // namespace

void LineFollower::restore(std::uint64_t next, std::uint64_t first, std::string partial)
{
    // Nothing was delivered yet: the bytes before may be the head of a line.
    if (first >= next && partial.empty()) {
        start(next);
        return;
    }
    start(0);
    m_next = next;
    m_first = m_olderOffset = first;
    m_partial = std::move(partial);
    if (m_partial.size() > std::min<std::uint64_t>(next, maxLine + 1)) m_partial.clear();
    m_partialOffset = next - m_partial.size();
}

void LineFollower::start(std::uint64_t offset)
{
    m_started = true;
    m_skipping = false;
    m_partial.clear();
    m_older.clear();
    m_olderOpen = m_olderTorn = false;
    m_fruitless = 0;
    m_next = m_partialOffset = m_first = m_olderOffset = offset;
    m_headless = offset > 0;  // the byte before may or may not be a line end: the back-fill will show
}

void LineFollower::event(const TailEvent &event)
{
    if (event.change != TailChange::truncated && event.change != TailChange::replaced) return;
    ++m_generation;
    start(0);
    m_started = false;
    m_inode = 0;
}

void LineFollower::chunk(const TailChunk &chunk, const LineSink &sink)
{
    if (!m_started) start(chunk.offset);
    if (chunk.next.inode != 0) m_inode = chunk.next.inode;
    if (chunk.bytes.empty()) return;
    const std::uint64_t end = chunk.offset + chunk.bytes.size();
    if (end <= m_next) return;
    if (chunk.offset > m_next) gap(chunk.offset);
    const std::string_view fresh = std::string_view(chunk.bytes).substr(m_next - chunk.offset);
    const std::uint64_t offset = m_next;
    m_next = end;
    feed(fresh, offset, sink);
}

void LineFollower::gap(std::uint64_t to)
{
    // Both the line before the hole and the one after it are torn: neither is shown as if it were whole.
    m_missing += to - m_next + m_partial.size();
    m_partial.clear();
    if (m_headless) {
        m_missing += m_older.size();
        m_older.clear();
        m_headless = false;
        m_olderOpen = m_olderTorn = true;
    }
    m_next = m_partialOffset = to;
    m_skipping = true;
}

void LineFollower::feed(std::string_view bytes, std::uint64_t offset, const LineSink &sink)
{
    while (!bytes.empty()) {
        const char *end = lineEnd(bytes);
        if (end == nullptr) {
            hold(bytes, offset, sink);
            return;
        }
        const std::size_t length = static_cast<std::size_t>(end - bytes.data());
        const std::string_view line = bytes.substr(0, length);
        if (m_headless) {
            hold(line, offset, sink);
            m_headless = false;
            m_olderOpen = true;
            m_first = offset + length + 1;
        } else if (m_skipping) {
            m_skipping = m_skippingBar = false;
        } else if (m_partial.empty()) {
            deliver(line, offset, sink);
        } else {
            m_partial.append(line.substr(0, maxLine + 2 - std::min(m_partial.size(), maxLine + 2)));
            deliver(m_partial, m_partialOffset, sink);
            m_partial.clear();
        }
        offset += length + 1;
        m_partialOffset = offset;
        bytes.remove_prefix(length + 1);
    }
}

// Bytes with no line end after them yet.
void LineFollower::hold(std::string_view bytes, std::uint64_t offset, const LineSink &sink)
{
    if (m_headless) {
        m_older.append(bytes.substr(0, maxLine + 2 - std::min(m_older.size(), maxLine + 2)));
        return;
    }
    if (m_skipping) {
        const std::size_t end = m_skippingBar ? firstRedraw(bytes) : std::string_view::npos;
        if (end == std::string_view::npos) return;
        m_skipping = m_skippingBar = false;
        offset += end + 1;
        bytes.remove_prefix(end + 1);
    }
    if (m_partial.empty()) m_partialOffset = offset;
    const std::size_t room = maxLine + 2 - m_partial.size();
    m_partial.append(bytes.substr(0, room));
    if (isBar(m_partial)) {
        if (const std::size_t end = lastRedraw(m_partial); end != std::string_view::npos) {
            deliver(std::string_view(m_partial).substr(0, end), m_partialOffset, sink);
            m_partial.erase(0, end + 1);
            m_partialOffset += end + 1;
        }
        if (bytes.size() <= room) return;
        m_partial.clear();  // the piece at the cut is torn
        m_skipping = m_skippingBar = true;
        return;
    }
    if (m_partial.size() < maxLine + 2) return;
    deliver(m_partial, m_partialOffset, sink);
    m_partial.clear();
    m_skipping = true;
}

void LineFollower::deliver(std::string_view line, std::uint64_t offset, const LineSink &sink)
{
    if (line.size() <= maxLine + 1 && !line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.size() > maxLine) {
        line = line.substr(0, maxLine);
        ++m_cut;
    }
    sink(line, offset);
}

void LineFollower::finish(const LineSink &sink)
{
    if (m_partial.empty()) return;
    deliver(m_partial, m_partialOffset, sink);
    m_partial.clear();
    m_skipping = true;
}

std::optional<RangeRequest> LineFollower::wantedBackfill(const std::string &path, std::uint32_t maxBytes) const
{
    if (!m_started || m_olderOffset == 0) return std::nullopt;
    const std::uint64_t length = std::min<std::uint64_t>({m_olderOffset, maxBytes, maxRange});
    if (length == 0) return std::nullopt;
    return RangeRequest{path, m_olderOffset - length, static_cast<std::uint32_t>(length)};
}

void LineFollower::backfilled(const RangeReply &reply, const LineSink &sink)
{
    if (m_olderOffset == 0 || (reply.error.empty() && reply.offset >= m_olderOffset)) return;
    const bool otherFile = m_inode != 0 && reply.stat.inode != 0 && reply.stat.inode != m_inode;
    const bool shrunk = reply.stat.size != 0 && reply.stat.size < m_olderOffset;
    if (!reply.error.empty() || shrunk) {
        giveUpOlder();
        return;
    }
    if (otherFile || reply.offset + reply.bytes.size() < m_olderOffset) {
        if (++m_fruitless >= patience) giveUpOlder();
        return;
    }
    m_fruitless = 0;
    std::string_view bytes = std::string_view(reply.bytes).substr(0, m_olderOffset - reply.offset);
    if (m_headless) bytes = adoptHead(bytes, reply.offset);
    if (!bytes.empty()) olderLines(bytes, reply.offset, sink);
}

// While the first live line has no end yet: adds to its front the bytes that complete it. Returns the bytes before that
// line.
std::string_view LineFollower::adoptHead(std::string_view bytes, std::uint64_t offset)
{
    const std::size_t lastEnd = bytes.rfind('\n');
    const std::size_t headStart = lastEnd == std::string_view::npos ? 0 : lastEnd + 1;
    keepOlder(bytes.substr(headStart));
    m_olderOffset = m_first = offset + headStart;
    if (lastEnd == std::string_view::npos && offset > 0) return {};
    m_partial.swap(m_older);
    m_partialOffset = m_first;
    m_headless = false;
    return bytes.substr(0, headStart);
}

// From the back: the last line of the range is completed by what is held, the first one waits for its head.
void LineFollower::olderLines(std::string_view bytes, std::uint64_t offset, const LineSink &sink)
{
    m_olderOffset = offset;
    if (!m_olderOpen && bytes.back() == '\n') bytes.remove_suffix(1);
    m_olderOpen = true;
    const std::size_t lastEnd = bytes.rfind('\n');
    const std::size_t tailStart = lastEnd == std::string_view::npos ? 0 : lastEnd + 1;
    keepOlder(bytes.substr(tailStart));
    if (lastEnd == std::string_view::npos && offset > 0) return;

    std::string newest;
    newest.swap(m_older);
    const bool torn = m_olderTorn;
    const std::uint64_t newestOffset = offset + tailStart;
    bytes = bytes.substr(0, tailStart);
    m_olderOpen = m_olderTorn = false;
    if (offset > 0) {
        const std::size_t head = static_cast<std::size_t>(lineEnd(bytes) - bytes.data());
        keepOlder(bytes.substr(0, head));
        m_olderOpen = true;
        offset += head + 1;
        bytes.remove_prefix(head + 1);
    }
    m_first = offset;
    while (!bytes.empty()) {
        const std::size_t length = static_cast<std::size_t>(lineEnd(bytes) - bytes.data());
        deliver(bytes.substr(0, length), offset, sink);
        offset += length + 1;
        bytes.remove_prefix(length + 1);
    }
    if (torn)
        m_missing += newest.size();
    else
        deliver(newest, newestOffset, sink);
}

void LineFollower::keepOlder(std::string_view head)
{
    m_older.insert(0, head.substr(0, maxLine + 2));
    if (m_older.size() > maxLine + 2) m_older.resize(maxLine + 2);
}

void LineFollower::giveUpOlder()
{
    m_missing += m_first;
    m_older.clear();
    m_olderOpen = m_olderTorn = m_headless = false;
    m_olderOffset = 0;
}

}  // namespace rankdeck
