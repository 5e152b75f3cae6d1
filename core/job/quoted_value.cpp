// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/quoted_value.h"

#include "core/base/text.h"

#include <charconv>
#include <optional>
#include <set>
#include <utility>

namespace rankdeck {

namespace {

bool isCompared(char c) { return c != '\'' && c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; }

struct Escaped {
    std::string character;
    std::size_t length = 0;  // in the text, from the 'u' on
};

// The number of "uXXXX" behind a backslash; nullopt: it has another form.
std::optional<unsigned> escapedNumber(std::string_view text, std::size_t at)
{
    constexpr std::size_t digits = 4;
    if (at >= text.size() || text[at] != 'u' || at == 0 || text[at - 1] != '\\' || text.size() - at <= digits)
        return {};
    unsigned code = 0;
    const char *first = text.data() + at + 1;
    const auto [end, problem] = std::from_chars(first, first + digits, code, 16);
    if (problem != std::errc{} || end != first + digits) return {};
    return code;
}

// The character of "\uXXXX" at this place, which may be escaped again ("\\u0027"). Two halves are one of the astral planes.
std::optional<Escaped> escapedCharacter(std::string_view text, std::size_t at)
{
    constexpr std::size_t length = 5;
    const auto first = escapedNumber(text, at);
    if (!first) return {};
    unsigned code = *first;
    const auto byte = [&](unsigned lead, unsigned shift, unsigned mask) {
        return static_cast<char>(lead | ((code >> shift) & mask));
    };
    if (code < 0x80) return Escaped{std::string(1, static_cast<char>(code)), length};
    if (code < 0x800) return Escaped{{byte(0xC0, 6, 0x1F), byte(0x80, 0, 0x3F)}, length};
    const std::size_t next = text.find_first_not_of('\\', at + length);
    const auto second = next == std::string_view::npos ? std::nullopt : escapedNumber(text, next);
    if ((code & 0xFC00) == 0xD800 && second && (*second & 0xFC00) == 0xDC00) {
        code = 0x10000 + ((code & 0x3FF) << 10) + (*second & 0x3FF);
        return Escaped{{byte(0xF0, 18, 0x07), byte(0x80, 12, 0x3F), byte(0x80, 6, 0x3F), byte(0x80, 0, 0x3F)},
                       next + length - at};
    }
    return Escaped{{byte(0xE0, 12, 0x0F), byte(0x80, 6, 0x3F), byte(0x80, 0, 0x3F)}, length};
}

bool isControlEscape(std::string_view text, std::size_t at)
{
    return at > 0 && text[at - 1] == '\\' && std::string_view("ntrbf").find(text[at]) != std::string_view::npos;
}

}  // namespace

QuotedValue::QuotedValue(std::string_view value)
{
    for (const char c : value)
        if (isCompared(c)) m_letters += c;
}

// The end of the value that begins there; npos: it does not. An escape may also be letters behind a backslash of the value,
// so all readings are followed. A reading is a position in the text and the number of letters that were found before it.
std::size_t QuotedValue::endAt(std::string_view text, std::size_t begin) const
{
    std::set<std::pair<std::size_t, std::size_t>> open{{begin, 0}};
    while (!open.empty()) {
        const auto [at, done] = *open.begin();
        open.erase(open.begin());
        if (done == m_letters.size()) return at;
        if (at >= text.size() || (at == begin && !isCompared(text[at]))) continue;
        if (!isCompared(text[at]) || isControlEscape(text, at)) open.insert({at + 1, done});
        if (text[at] == m_letters[done]) open.insert({at + 1, done + 1});
        if (const auto escaped = escapedCharacter(text, at)) {
            const std::string &character = escaped->character;
            const bool skipped = character.size() == 1 && !isCompared(character.front());
            if (skipped)
                open.insert({at + escaped->length, done});
            else if (m_letters.compare(done, character.size(), character) == 0)
                open.insert({at + escaped->length, done + character.size()});
        }
    }
    return std::string_view::npos;
}

QuotedValue::Place QuotedValue::findIn(std::string_view text, std::size_t from) const
{
    if (m_letters.empty()) return {};
    for (std::size_t at = from; at < text.size(); ++at) {
        if (text[at] != m_letters.front() && !(text[at] == 'u' && escapedCharacter(text, at))) continue;
        if (const std::size_t end = endAt(text, at); end != std::string_view::npos) return {.begin = at, .end = end};
    }
    return {};
}

}  // namespace rankdeck
