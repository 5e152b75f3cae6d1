// SPDX-License-Identifier: GPL-3.0-or-later
// An event of several lines, in progress. It is a Python traceback with its chained exceptions and the C++ call stacks
// that MindSpore appends, or an error line with its continuation. Bounded: text 16 kB, lines 4,000.
#pragma once

#include "core/parse/lines/sample.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

class EventBlock {
public:
    static constexpr std::size_t maxText = 16000;

    [[nodiscard]] bool open() const { return m_state != State::closed; }
    // True in a traceback that expects more frames: only its own lines can follow.
    [[nodiscard]] bool inFrames() const { return m_state == State::frames; }
    static bool startsTraceback(std::string_view line);

    // end: offset of the byte after the line
    void beginTraceback(std::string_view line, std::uint64_t offset, std::uint64_t end);
    void beginError(std::string_view message, std::uint64_t offset, std::uint64_t end, EventKind kind,
                    std::optional<int> pid);
    // Takes the line if it belongs to the block; otherwise the caller closes it.
    bool take(std::string_view line, std::uint64_t end);
    // The finished event; the block is closed after it.
    LogEvent close();

private:
    enum class State { closed, frames, message, error };
    void append(std::string_view line, std::uint64_t end);
    bool takeMessage(std::string_view line);
    void takeInner(std::string_view line);
    void headline(std::string_view line);

    State m_state = State::closed;
    LogEvent m_event;
    std::string m_text;
    std::string m_headline;
    // The reason that the message quotes. For a "- … Error Message:" section (MindSpore's dataset pipeline, CANN), it
    // is the first line of the section. For an "Original Traceback" (torch's DataLoader workers), it is the exception.
    std::string m_inner;
    enum class Inner { none, section, traceback } m_innerNext = Inner::none;
    bool m_flat = false;          // its frames have lost their indentation
    bool m_headlineOpen = false;  // "RuntimeError: " whose message is on a later line
    bool m_chained = false;
    std::size_t m_blank = 0;  // blank lines held back: they count only when more text follows
    int m_lines = 0;
};

}  // namespace rankdeck
