// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/event_block.h"

#include "core/base/text.h"
#include "core/parse/lines/mindspore_lines.h"
#include "core/parse/lines/scanner.h"

#include <algorithm>
#include <cctype>

namespace rankdeck {

namespace {

constexpr int maxLines = 4000;
constexpr std::size_t maxHeadline = 500;

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

bool chains(std::string_view line)
{
    return line.starts_with("During handling of the above exception") ||
           line.starts_with("The above exception was the direct");
}

// True for a frame of a traceback whose indentation a log tool has removed.
bool isFlatFrame(std::string_view line)
{
    return line.starts_with("File \"") && line.find("\", line ") != std::string_view::npos;
}

// "ValueError: no label", "torch.cuda.OutOfMemoryError: …", "KeyboardInterrupt": a class with its module, and its
// message.
bool isException(std::string_view line)
{
    const std::size_t end = std::min(line.find(':'), line.size());
    std::string_view name = line.substr(0, end);
    if (end + 1 < line.size() && line[end + 1] != ' ') return false;
    name.remove_prefix(name.rfind('.') == std::string_view::npos ? 0 : name.rfind('.') + 1);
    const auto isWord = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !name.empty() && std::isupper(static_cast<unsigned char>(name.front())) != 0 &&
           std::all_of(name.begin(), name.end(), isWord);
}

std::string_view cutTo(std::string_view text, std::size_t length)
{
    text = text.substr(0, length);
    // Does not cut inside a UTF-8 sequence, whose rest would show as a bad byte.
    while (!text.empty() && text.size() == length && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
        text.remove_suffix(1);
    return text;
}

}  // namespace

bool EventBlock::startsTraceback(std::string_view line)
{
    return line.starts_with("Traceback (most recent call last)") ||
           line.starts_with("  + Exception Group Traceback (most recent");
}

void EventBlock::beginTraceback(std::string_view line, std::uint64_t offset, std::uint64_t end)
{
    *this = EventBlock();
    m_state = State::frames;
    m_event.kind = EventKind::error;
    m_event.offset = offset;
    append(line, end);
}

void EventBlock::beginError(std::string_view message, std::uint64_t offset, std::uint64_t end, EventKind kind,
                            std::optional<int> pid)
{
    *this = EventBlock();
    m_state = State::error;
    m_event.kind = kind;
    m_event.offset = offset;
    m_event.pid = pid;
    append(message, end);
}

bool EventBlock::take(std::string_view line, std::uint64_t end)
{
    if (m_lines >= maxLines) return false;
    if (blank(line)) {
        ++m_blank;
        return true;
    }
    switch (m_state) {
    case State::closed: return false;
    case State::frames:
        m_flat = m_flat || isFlatFrame(line);
        if (!line.starts_with(" ") && !line.starts_with("\t") && !startsTraceback(line) && !chains(line) &&
            (!m_flat || isException(line))) {
            m_state = State::message;
            headline(line);
        }
        break;
    case State::message:
        if (!takeMessage(line)) return false;
        break;
    case State::error:
        // Other output of the script may follow immediately, so only a line that looks like the rest of a message
        // belongs to it.
        if (line.front() != ' ' && line.front() != '\t' && line.front() != '-' && line.front() != '#' &&
            !line.starts_with("In file "))
            return false;
        break;
    }
    append(line, end);
    return true;
}

bool EventBlock::takeMessage(std::string_view line)
{
    if (chains(line)) {
        m_chained = true;
    } else if (startsTraceback(line)) {
        if (!m_chained) return false;
        m_chained = false;
        m_state = State::frames;
    } else if (m_headlineOpen && line.front() != '-' && line.front() != '=') {
        m_headline += line.substr(0, maxHeadline);
        m_headlineOpen = false;
    }
    takeInner(line);
    return true;
}

void EventBlock::takeInner(std::string_view line)
{
    if (line.starts_with("Original Traceback (most recent call last)")) {
        m_innerNext = Inner::traceback;
    } else if (line.starts_with("- ") && line.find(" Error Message:") != std::string_view::npos) {
        if (m_inner.empty()) m_innerNext = Inner::section;
    } else if (m_innerNext != Inner::none && line.front() != '-' && line.front() != ' ' && line.front() != '\t') {
        if (line.starts_with("[ERROR] ")) line.remove_prefix(8);
        m_inner = cutTo(line, maxHeadline / 2);
        m_innerNext = Inner::none;
    }
}

// The last exception of a chain is the one that ended the program.
void EventBlock::headline(std::string_view line)
{
    m_headline = cutTo(line, maxHeadline);
    m_inner.clear();
    m_innerNext = Inner::none;
    const std::size_t last = m_headline.find_last_not_of(' ');
    m_headlineOpen = last != std::string::npos && m_headline[last] == ':';
    if (m_headlineOpen) m_headline.resize(last + 1), m_headline += ' ';
    Scanner scanner(line);
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    if (scanner.seek("In epoch: ") && scanner.takeInteger(epoch) && scanner.take(" step: ") &&
        scanner.takeInteger(step)) {
        m_event.epoch = epoch;
        m_event.step = step;
    }
}

void EventBlock::append(std::string_view line, std::uint64_t end)
{
    m_lines += 1 + static_cast<int>(m_blank);
    m_event.length = end - m_event.offset;
    const std::size_t room = maxText - std::min(maxText, m_text.size() + maxHeadline + 2);
    if (room > m_blank + 1) {
        if (!m_text.empty()) m_text.append(m_blank + 1, '\n');
        m_text += cutTo(line, room - m_blank - 1);
    }
    m_blank = 0;
}

LogEvent EventBlock::close()
{
    LogEvent event = std::move(m_event);
    if (event.kind == EventKind::error)
        if (const std::optional<EventKind> kind = faultToleranceKind(m_headline + "\n" + m_text)) event.kind = *kind;
    // MindX DL's ExceptionCheckpoint raises this after SIGTERM and a good save; after a bad save it raises nothing.
    if (m_headline.find("Term exception happened.") != std::string::npos)
        m_inner = "asked to end; its emergency checkpoint (*_breakpoint.ckpt) is saved";
    // Operators read only the first line, so it must show what happened and not only that a traceback begins.
    if (!m_inner.empty() && m_headline.find(m_inner) == std::string::npos) {
        m_headline = withoutStop(std::move(m_headline));
        m_headline += (m_headline.empty() || m_headline.back() == ':' ? " " : ": ") + m_inner;
    }
    std::string text = m_headline.empty() ? std::string() : m_headline + "\n";
    text += m_text;
    for (const std::string &line : split(text, '\n')) {
        if (!event.text.empty()) event.text += '\n';
        event.text += printable(line);
        if (event.text.size() > maxText) break;
    }
    if (event.text.size() > maxText) event.text = validUtf8(cutTo(event.text, maxText));
    *this = EventBlock();
    return event;
}

}  // namespace rankdeck
