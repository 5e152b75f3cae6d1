// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include "core/base/said_units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <utility>

namespace rankdeck {
namespace {

// Length of the valid UTF-8 sequence at the start of bytes; 0: none is there.
std::size_t sequenceLength(std::string_view bytes)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || bytes.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // overlong forms, surrogates, beyond U+10FFFF
    if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf0 && byte(1) < 0x90) ||
        (lead == 0xf4 && byte(1) > 0x8f))
        return 0;
    return length;
}

// Length of the terminal escape at the start of bytes (which begins with ESC).
std::size_t escapeLength(std::string_view bytes)
{
    if (bytes.size() < 2) return 1;
    if (bytes[1] == '[') {  // CSI: parameters, then one final byte
        std::size_t i = 2;
        while (i < bytes.size() && bytes[i] >= 0x20 && bytes[i] <= 0x3f) ++i;
        return std::min(i + 1, bytes.size());
    }
    if (bytes[1] == ']') {  // OSC: up to BEL or ESC backslash
        for (std::size_t i = 2; i < bytes.size(); ++i) {
            if (bytes[i] == '\a') return i + 1;
            if (bytes[i] == '\x1b') return std::min(i + 2, bytes.size());
        }
        return bytes.size();
    }
    return 2;
}

enum class Clean { utf8, line, lines };

// The written-out form of a character that ends a line or changes the reading direction; empty: it does neither.
std::string_view spelledOut(std::string_view character)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> all{{{"\n", "\\n"},
                                                                                        {"\xc2\x85", "\\x85"},
                                                                                        {"\xd8\x9c", "\\u061c"},
                                                                                        {"\xe2\x80\x8e", "\\u200e"},
                                                                                        {"\xe2\x80\x8f", "\\u200f"},
                                                                                        {"\xe2\x80\xa8", "\\u2028"},
                                                                                        {"\xe2\x80\xa9", "\\u2029"},
                                                                                        {"\xe2\x80\xaa", "\\u202a"},
                                                                                        {"\xe2\x80\xab", "\\u202b"},
                                                                                        {"\xe2\x80\xac", "\\u202c"},
                                                                                        {"\xe2\x80\xad", "\\u202d"},
                                                                                        {"\xe2\x80\xae", "\\u202e"},
                                                                                        {"\xe2\x81\xa6", "\\u2066"},
                                                                                        {"\xe2\x81\xa7", "\\u2067"},
                                                                                        {"\xe2\x81\xa8", "\\u2068"},
                                                                                        {"\xe2\x81\xa9", "\\u2069"}}};
    for (const auto &[bytes, text] : all)
        if (bytes == character) return text;
    return {};
}

std::string clean(std::string_view bytes, Clean how)
{
    if (how == Clean::line)
        while (!bytes.empty() && (bytes.back() == '\n' || bytes.back() == '\r')) bytes.remove_suffix(1);
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = sequenceLength(bytes);
        const unsigned char first = static_cast<unsigned char>(bytes[0]);
        if (length == 0) {
            out += "\xef\xbf\xbd";
            bytes.remove_prefix(1);
        } else if (how != Clean::utf8 && first == 0x1b) {
            bytes.remove_prefix(escapeLength(bytes));
        } else {
            const bool control = (first < 0x20 && first != '\t') || first == 0x7f ||
                                 (first == 0xc2 && length == 2 && static_cast<unsigned char>(bytes[1]) < 0xa0);
            const std::string_view character = bytes.substr(0, length);
            const bool plain = first != '\n' && first != 0xc2 && first != 0xd8 && first != 0xe2;
            const std::string_view spelled = plain || how == Clean::utf8 || (first == '\n' && how == Clean::lines)
                                                 ? std::string_view()
                                                 : spelledOut(character);
            if (!spelled.empty())
                out += spelled;
            else if (how == Clean::utf8 || !control || first == '\n')
                out += character;
            bytes.remove_prefix(length);
        }
    }
    return out;
}

// A letter added, left out or replaced, or two neighbours swapped: each counts as one error.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> above2, above(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        above2 = std::exchange(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], above2[j - 2] + 1);
        }
    }
    return row.back();
}

}  // namespace

std::string printable(std::string_view bytes) { return clean(bytes, Clean::line); }
std::string printableLines(std::string_view bytes) { return clean(bytes, Clean::lines); }
std::string validUtf8(std::string_view bytes) { return clean(bytes, Clean::utf8); }

std::string grouped(std::int64_t number)
{
    std::string digits = std::to_string(number);
    const std::size_t start = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > start + 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string bytesText(std::uint64_t bytes)
{
    const ShownSize size = shownSize(bytes);
    char text[32];
    std::snprintf(text, sizeof text, size.scaled && size.value < 9.95 ? "%.1f %s" : "%.0f %s", size.value, size.unit);
    return text;
}

std::string rankList(const std::vector<int> &ranks)
{
    std::string out;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
        if (!out.empty()) out += ", ";
        out += std::to_string(ranks[i]);
        if (last > i) out += (last == i + 1 ? ", " : "–") + std::to_string(ranks[last]);
        i = last + 1;
    }
    return out;
}

std::string nearest(std::string_view word, const std::vector<std::string> &candidates)
{
    std::string best;
    std::size_t bestDistance = word.size() / 2 + 1;
    for (const std::string &candidate : candidates) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string replaceAll(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    parts.emplace_back(text);
    return parts;
}

std::string shellQuoted(std::string_view argument)
{
    const bool plain =
        !argument.empty() && argument.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                        "0123456789_-./:=,+@%") == std::string_view::npos;
    return plain ? std::string(argument) : "'" + replaceAll(std::string(argument), "'", "'\\''") + "'";
}

namespace {

// A listing calls this many times for each path; memrchr checks many bytes at once, and rfind one.
std::size_t lastSlash(std::string_view path)
{
    const void *found = path.empty() ? nullptr : ::memrchr(path.data(), '/', path.size());
    return found ? std::size_t(static_cast<const char *>(found) - path.data()) : std::string_view::npos;
}

}  // namespace

std::string baseName(std::string_view path) { return std::string(path.substr(lastSlash(path) + 1)); }

std::string dirName(std::string_view path)
{
    const std::size_t slash = lastSlash(path);
    if (slash == std::string_view::npos) return ".";
    return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string joinPath(std::string_view directory, std::string_view name)
{
    if (directory.empty() || (!name.empty() && name[0] == '/')) return std::string(name);
    return std::string(directory) + (directory.back() == '/' ? "" : "/") + std::string(name);
}

std::optional<std::int64_t> decimal(std::string_view digits)
{
    if (digits.empty() || digits.size() > 15) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

bool takeStart(std::string_view &text, std::string_view start)
{
    if (!text.starts_with(start)) return false;
    text.remove_prefix(start.size());
    return true;
}

bool takeEnd(std::string_view &text, std::string_view end)
{
    if (text.size() <= end.size() || !text.ends_with(end)) return false;
    text.remove_suffix(end.size());
    return true;
}

std::string withoutSlash(std::string path)
{
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

std::string withoutStop(std::string text)
{
    while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
    return text;
}

bool containsName(std::string_view text, std::string_view name)
{
    const auto isPart = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
        if ((at == 0 || !isPart(at - 1)) && !isPart(at + name.size())) return true;
    return false;
}

}  // namespace rankdeck
