// SPDX-License-Identifier: GPL-3.0-or-later
// Converter from chunks of one followed file to complete new lines, each exactly once, with offsets. Handles rotation,
// truncation, gaps and a newest-first start. The tail end comes at once; older parts are requested backwards with
// `wantedBackfill`. Lines longer than 1 MiB are cut there and counted. The bytes "\r
// " end a line like "
// "; other bytes pass unchanged. A redrawn progress bar may be the only line for hours: its pieces come as soon as a
// carriage return has ended them. A line that was cut by a start in the middle of the file comes with the back-fill
// that brings its head. Pure state, one thread.
#pragma once

#include "core/node/protocol/messages.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

class LineFollower {
public:
    static constexpr std::size_t maxLine = 1u << 20;
    using LineSink = std::function<void(std::string_view line, std::uint64_t offset)>;

    // Continues from the state of another follower of this file: its nextOffset(), firstOffset() and partial().
    void restore(std::uint64_t next, std::uint64_t first, std::string partial);

    // Live bytes. A chunk that overlaps what was seen is trimmed; one that leaves a hole makes a gap.
    void chunk(const TailChunk &chunk, const LineSink &sink);
    void event(const TailEvent &event);  // truncated or replaced: a new generation begins at offset 0
    // The writer is gone: its last text without a line end is a line too. More bytes of that line are then skipped.
    void finish(const LineSink &sink);

    // The next older range to read, or nullopt when all down to offset 0 is known (or the file was replaced).
    [[nodiscard]] std::optional<RangeRequest> wantedBackfill(const std::string &path,
                                                             std::uint32_t maxBytes = 4u << 20) const;
    // Takes the reply. Lines come oldest first within the range, each once. An unrequested reply is ignored. After an
    // error, or when the file has become shorter, the rest counts as missing and is not requested again.
    void backfilled(const RangeReply &reply, const LineSink &sink);

    [[nodiscard]] int generation() const { return m_generation; }  // counts truncations and replacements
    [[nodiscard]] std::uint64_t firstOffset() const
    {
        return m_headless ? m_next : m_first;
    }  // of the oldest known line
    [[nodiscard]] std::uint64_t nextOffset() const { return m_next; }
    [[nodiscard]] std::uint64_t bytesMissing() const { return m_missing; }  // gaps, explicit
    [[nodiscard]] std::uint64_t cutLines() const { return m_cut; }
    // The line in progress, at most maxLine + 1 bytes; kept with nextOffset() it loses no line over a restart.
    [[nodiscard]] const std::string &partial() const { return m_partial; }

private:
    void start(std::uint64_t offset);
    void gap(std::uint64_t to);
    void feed(std::string_view bytes, std::uint64_t offset, const LineSink &sink);
    void hold(std::string_view bytes, std::uint64_t offset, const LineSink &sink);
    void deliver(std::string_view line, std::uint64_t offset, const LineSink &sink);
    void keepOlder(std::string_view head);
    std::string_view adoptHead(std::string_view bytes, std::uint64_t offset);
    void olderLines(std::string_view bytes, std::uint64_t offset, const LineSink &sink);
    void giveUpOlder();

    std::string m_partial;  // bytes after the last line end
    std::uint64_t m_partialOffset = 0;
    std::uint64_t m_first = 0;
    std::string m_older;              // of the oldest line, its head is still to come; at most maxLine + 2 bytes
    std::uint64_t m_olderOffset = 0;  // everything from here on has been read
    bool m_olderOpen = false;         // a line without its head is held in m_older
    bool m_olderTorn = false;         // … and a gap took its end: not to be delivered
    std::uint64_t m_next = 0;
    std::uint64_t m_missing = 0;
    std::uint64_t m_cut = 0;
    std::uint64_t m_inode = 0;
    int m_generation = 0;
    int m_fruitless = 0;  // replies in a row that brought nothing
    bool m_started = false;
    bool m_skipping = false;     // up to the next line end: rest of a cut line, or torn by a gap
    bool m_skippingBar = false;  // m_skipping, in a progress bar: up to its next piece
    bool m_headless = false;     // the first bytes may be the end of a line: they wait for its head
};

}  // namespace rankdeck
