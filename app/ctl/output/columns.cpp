// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/columns.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace rankdeck::ctl {

namespace {

struct Character {
    std::size_t bytes = 1;
    char32_t code = 0;
};

// The character at this position. Printable text is valid UTF-8; an invalid byte counts as one character.
Character characterAt(const std::string &text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    const unsigned char first = byte(at);
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    char32_t code = length == 1 ? first : first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0U) != 0x80) return {};
        code = code << 6U | (byte(at + i) & 0x3fU);
    }
    return {.bytes = length, .code = code};
}

struct CodeRange {
    char32_t first, last;
};
// Classes W and F of Unicode's East Asian Width, merged into blocks.
constexpr std::array<CodeRange, 15> wide{{{0x1100, 0x115f},
                                          {0x231a, 0x231b},
                                          {0x2e80, 0x303e},
                                          {0x3041, 0x4dbf},
                                          {0x4e00, 0xa4cf},
                                          {0xa960, 0xa97c},
                                          {0xac00, 0xd7a3},
                                          {0xf900, 0xfaff},
                                          {0xfe10, 0xfe19},
                                          {0xfe30, 0xfe6f},
                                          {0xff00, 0xff60},
                                          {0xffe0, 0xffe6},
                                          {0x1f300, 0x1f64f},
                                          {0x1f680, 0x1f9ff},
                                          {0x20000, 0x3fffd}}};
// Combining marks and other characters without a width.
constexpr std::array<CodeRange, 4> noWidth{{{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}}};

std::size_t widthOf(char32_t code)
{
    const auto holds = [code](const CodeRange &range) { return code >= range.first && code <= range.last; };
    if (std::any_of(wide.begin(), wide.end(), holds)) return 2;
    return std::any_of(noWidth.begin(), noWidth.end(), holds) ? 0 : 1;
}

// The start of the text after a name column; without such a column, the start of the line.
std::size_t indentOf(const std::string &line)
{
    const std::size_t name = line.find_first_not_of(' ');
    if (name == std::string::npos) return 0;
    const std::size_t gap = line.find("  ", name);
    const std::size_t words = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
    return words == std::string::npos ? name : words;
}

}  // namespace

std::size_t columnsOf(const std::string &text)
{
    std::size_t columns = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Character character = characterAt(text, at);
        columns += widthOf(character.code);
        at += character.bytes;
    }
    return columns;
}

std::string left(const std::string &text, std::size_t width)
{
    return text + std::string(width - std::min(width, columnsOf(text)), ' ');
}

std::string right(const std::string &text, std::size_t width)
{
    return std::string(width - std::min(width, columnsOf(text)), ' ') + text;
}

std::string cut(const std::string &text, std::size_t columns)
{
    if (columnsOf(text) <= columns) return text;
    if (columns == 0) return {};
    std::size_t at = 0;
    for (std::size_t taken = 0; at < text.size();) {
        const Character character = characterAt(text, at);
        taken += widthOf(character.code);
        if (taken >= columns) break;  // one column is for the ellipsis
        at += character.bytes;
    }
    return text.substr(0, at) + "…";
}

std::vector<std::string> wrapped(const std::string &text, std::size_t columns, std::size_t indent, std::size_t most)
{
    std::vector<std::string> lines;
    std::string rest = text;
    while (columnsOf(rest) > columns && lines.size() + 1 < most) {
        const std::string front = cut(rest, columns + 1);  // the part that fits, and the ellipsis
        const std::size_t fits = front.size() - std::string("…").size();
        const std::size_t blank = rest.rfind(' ', fits);
        if (blank == std::string::npos || blank <= (lines.empty() ? 0 : indent)) break;  // a single long word
        lines.push_back(rest.substr(0, blank));
        rest = std::string(indent, ' ') + rest.substr(blank + 1);
    }
    lines.push_back(cut(rest, columns));
    return lines;
}

std::vector<std::string> fitted(const std::string &line, std::size_t columns)
{
    constexpr std::size_t narrowest = 40;
    const std::size_t indent = std::min(indentOf(line), columns / 2);
    std::vector<std::string> lines;
    std::string rest = line;
    while (columns >= narrowest && columnsOf(rest) > columns) {
        const std::size_t words = lines.empty() ? line.find_first_not_of(' ') : indent;
        const std::size_t fits = cut(rest, columns + 1).size() - std::string("…").size();
        std::size_t blank = rest.rfind(' ', fits);
        if (blank == std::string::npos || blank <= words) blank = rest.find(' ', std::max(fits, words) + 1);
        if (blank == std::string::npos) break;
        lines.push_back(rest.substr(0, blank));
        rest = std::string(indent, ' ') + rest.substr(blank + 1);
    }
    lines.push_back(rest);
    return lines;
}

std::string loudly(const std::string &text) { return "\x1b[1;31m" + text + "\x1b[0m"; }

void printToFit(const std::string &text, bool loud)
{
    const std::size_t columns = terminalSize().columns;
    const bool red = loud && colourWanted();
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        for (const std::string &line : fitted(std::string(rest.substr(0, end)), columns))
            std::cout << (red ? loudly(line) : line) << '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

TerminalSize sizeOfTerminal(int descriptor)
{
    winsize size{};
    if (isatty(descriptor) == 0 || ioctl(descriptor, TIOCGWINSZ, &size) != 0) return {};
    return {.columns = size.ws_col, .rows = size.ws_row};
}

TerminalSize terminalSize() { return sizeOfTerminal(STDOUT_FILENO); }

bool colourWanted()
{
    const char *no = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
    const bool refused = no != nullptr && *no != '\0';
    return !refused && isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace rankdeck::ctl
