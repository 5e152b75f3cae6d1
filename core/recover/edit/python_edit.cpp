// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/python_edit.h"

#include "core/base/text.h"

#include <cctype>

namespace rankdeck {

namespace {

bool wordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct Place {
    std::size_t begin = 0, end = 0;  // extent of the value with its quotes
    char quote = '\'';
};

std::size_t skipBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
}

// Begin of the value that follows a key at `at`; 0 if the key is not assigned a value there.
std::size_t valueAt(std::string_view text, std::size_t at, std::size_t length)
{
    const bool before = at > 0 && wordCharacter(text[at - 1]);
    const char quote = at > 0 && (text[at - 1] == '"' || text[at - 1] == '\'') ? text[at - 1] : 0;
    std::size_t next = at + length;
    if (before || (next < text.size() && wordCharacter(text[next]))) return 0;
    if (quote) {
        if (next >= text.size() || text[next] != quote) return 0;
        ++next;
    }
    next = skipBlanks(text, next);
    if (next >= text.size() || text[next] != (quote ? ':' : '=')) return 0;
    if (text[next] == '=' && next + 1 < text.size() && text[next + 1] == '=') return 0;
    return skipBlanks(text, next + 1);
}

bool inComment(std::string_view text, std::size_t at)
{
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    char quote = 0;
    for (std::size_t i = begin; i < at; ++i) {
        if (quote ? text[i] == quote : text[i] == '"' || text[i] == '\'') quote = quote ? 0 : text[i];
        if (!quote && text[i] == '#') return true;
    }
    return false;
}

Result<Place> placeOf(std::string_view text, const std::string &key)
{
    std::vector<std::size_t> values;
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + key.size()))
        if (const std::size_t value = valueAt(text, at, key.size()); value != 0 && !inComment(text, at))
            values.push_back(value);
    if (values.size() != 1)
        return fail(ErrorKind::invalid, message("expected one value for %1, found %2", printable(key), values.size()));
    Place place{.begin = values.front(), .end = 0};
    const std::string_view rest = text.substr(place.begin);
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'') || rest.starts_with("'''") ||
        rest.starts_with("\"\"\""))
        return fail(ErrorKind::invalid, message("expected a string after %1, found %2", printable(key),
                                                printable(rest.substr(0, std::min<std::size_t>(rest.find('\n'), 40)))));
    place.quote = rest.front();
    const std::size_t close = rest.find(place.quote, 1);
    const std::size_t lineEnd = rest.find('\n');
    if (close == std::string_view::npos || close > lineEnd ||
        rest.substr(0, close).find('\\') != std::string_view::npos)
        return fail(ErrorKind::invalid, message("expected a plain string on one line after %1", printable(key)));
    place.end = place.begin + close + 1;
    return place;
}

}  // namespace

Result<std::string> editPython(std::string_view text, const std::vector<ConfigSetting> &settings)
{
    std::string out(text);
    for (const ConfigSetting &setting : settings) {
        const auto place = placeOf(out, setting.key);
        if (!place) return place.error();
        if (setting.value.find_first_of("'\"\\\n\r") != std::string::npos)
            return fail(ErrorKind::invalid,
                        message("expected a value without quotes or backslashes, found %1", printable(setting.value)));
        out.replace(place->begin, place->end - place->begin, place->quote + setting.value + place->quote);
    }
    return out;
}

std::string squeezedPython(std::string_view script)
{
    std::string text;
    bool comment = false;
    for (const char c : script) {
        comment = c != '\n' && (comment || c == '#');
        if (!comment && c != ' ' && c != '\t' && c != '\r' && c != '\n') text += c;
    }
    return text;
}

}  // namespace rankdeck
