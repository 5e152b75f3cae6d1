// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/fields/label_text.h"

#include "core/parse/fields/characters.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

constexpr std::string_view separators = " :='\"[]({<>#*.-~@";  // between a label and its number, and around a label

// Removes the blocks and lines of a drawn progress bar (U+2500 to U+259F) at both ends.
std::string_view withoutBar(std::string_view text)
{
    const auto drawn = [](std::string_view three) {
        return three[0] == '\xe2' && (three[1] == '\x94' || three[1] == '\x95' || three[1] == '\x96');
    };
    while (text.size() >= 3 && drawn(text.substr(0, 3))) text.remove_prefix(3);
    while (text.size() >= 3 && drawn(text.substr(text.size() - 3))) text.remove_suffix(3);
    return text;
}

}  // namespace

std::string_view withoutSeparators(std::string_view text)
{
    text = withoutBar(text);
    const std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return {};
    // A closing parenthesis belongs to the label: "time (ms)".
    return withoutBar(text.substr(begin, text.find_last_not_of(separators) - begin + 1));
}

std::string_view lastPart(std::string_view text)
{
    static constexpr std::array<std::string_view, 5> gaps{"  ", " - ", ": ", " : ", "=> "};
    std::size_t from = 0;
    for (const std::string_view gap : gaps)
        if (const std::size_t at = text.rfind(gap); at != std::string_view::npos)
            from = std::max(from, at + gap.size());
    // "INFO:tensorflow:loss", "device='npu:0'"
    if (const std::size_t at = text.find_last_of(":="); at != std::string_view::npos && at + 1 < text.size())
        from = std::max(from, at + 1);
    return text.substr(from);
}

bool isLevel(std::string_view label)
{
    static constexpr std::array<std::string_view, 8> levels{"INFO",  "DEBUG", "WARNING", "WARN",
                                                            "ERROR", "info",  "I",       "TRAIN"};
    return std::find(levels.begin(), levels.end(), label) != levels.end();
}

std::string plainLabel(std::string_view label)
{
    std::string plain;
    char before = '\0';
    for (std::size_t i = 0; i < label.size(); ++i) {
        const char c = label[i];
        const bool capital = c >= 'A' && c <= 'Z';
        const bool follows = i + 1 < label.size() && label[i + 1] >= 'a' && label[i + 1] <= 'z';
        const bool lowerBefore = before >= 'a' && before <= 'z';
        const bool capitalBefore = before >= 'A' && before <= 'Z';
        if (isLetter(c)) {
            if (!plain.empty() && plain.back() != ' ' && capital && (lowerBefore || (capitalBefore && follows)))
                plain += ' ';
            plain += static_cast<char>(c | 0x20);
        } else if (!plain.empty() && plain.back() != ' ') {
            plain += ' ';
        }
        before = c;
    }
    while (!plain.empty() && plain.back() == ' ') plain.pop_back();
    return plain;
}

}  // namespace rankdeck
