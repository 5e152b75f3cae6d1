// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parse/path_witness.h"

#include "core/base/text.h"
#include "core/parse/lines/message_start.h"

#include <algorithm>
#include <array>

namespace rankdeck {

namespace {

bool inPath(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+@%=~").find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

// True for a printed setting such as "pre_trained: '/job/a.ckpt'", which does not show whether the file was used.
bool isSetting(std::string_view line, std::size_t at, std::size_t end)
{
    static constexpr std::string_view dress = " \t'\",)";
    const std::size_t after = line.find_first_not_of(dress, end);
    if (after != std::string_view::npos) return false;
    std::size_t sign = at;
    while (sign > 0 && contains(" \t'\"", line.substr(sign - 1, 1))) --sign;
    if (sign == 0 || (line[sign - 1] != ':' && line[sign - 1] != '=')) return false;
    --sign;
    while (sign > 0 && contains(" \t'\"", line.substr(sign - 1, 1))) --sign;  // 'key' : value
    std::size_t key = sign;
    while (key > 0 && !contains(" \t'\"{(", line.substr(key - 1, 1)) && sign - key < 64) --key;
    const std::string_view name = line.substr(key, sign - key);
    const bool tells = contains(name, "oad") || contains(name, "estor") || contains(name, "esum");
    const bool verb = tells && (name.ends_with("ed") || name.ends_with("ing"));
    return !name.empty() && !verb && beginsMessage(line, key);
}

// The line without the path, if it contains the path as a separate name, either complete or from some folder on. Empty
// if it does not contain the path, or only as the value of a printed setting.
std::optional<std::string> aroundPath(std::string_view line, std::string_view told)
{
    const std::string_view name = told.substr(told.rfind('/') + 1);
    if (name.size() < 4 || !contains(line, name)) return std::nullopt;
    const std::string path = plainPath(told);
    for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool goesOn = end < line.size() && inPath(line[end]) && line[end] != '/' && line[end] != '.';
        std::size_t begin = at;
        while (begin > 0 && inPath(line[begin - 1]) && line[begin - 1] != '=') --begin;
        if (goesOn || !namesSamePath(line.substr(begin, end - begin), path)) continue;
        if (isSetting(line, begin, end)) return std::nullopt;
        return std::string(line.substr(0, begin)).append(line.substr(end));
    }
    return std::nullopt;
}

}  // namespace

std::string plainPath(std::string_view path)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        const std::string_view part = path.substr(at, end - at);
        at = end + 1;
        if (part == ".." && !parts.empty())
            parts.pop_back();
        else if (!part.empty() && part != "." && part != "..")
            parts.push_back(part);
    }
    std::string plain;
    for (const std::string_view part : parts) plain.append(plain.empty() ? "" : "/").append(part);
    return path.starts_with("/") ? "/" + plain : plain;
}

bool namesSamePath(std::string_view said, std::string_view path)
{
    const std::string plain = plainPath(said);
    if (plain == path) return true;
    return !plain.empty() && plain.front() != '/' && path.size() > plain.size() && path.ends_with(plain) &&
           path[path.size() - plain.size() - 1] == '/';
}

std::optional<LogEvent> namedPath(std::string_view line, const std::vector<std::string> &paths)
{
    if (paths.empty()) return std::nullopt;
    // Words that show errors, actions that were not done, actions other than a load, or arguments.
    static constexpr std::array<std::string_view, 28> others{
        "rror",       "ERROR",  "fail", "Fail", "No such file", " not ", "annot",   "n't",   "nable to", "nvalid",
        "orrupt",     "issing", "kip",  "gnor", "emov",         "elet",  "scratch", "ename", "opied",    "opying",
        "Namespace(", " --",    "sav",  "Sav",  "writ",         "Writ",  "': ",     "\": "};
    for (const std::string &path : paths) {
        const std::optional<std::string> rest = aroundPath(line, path);
        const auto said = [&](std::string_view word) { return contains(*rest, word); };
        if (!rest || std::any_of(others.begin(), others.end(), said)) continue;
        LogEvent event;
        event.kind = EventKind::resumed;
        event.path = validUtf8(path);
        event.byPath = true;
        return event;
    }
    return std::nullopt;
}

}  // namespace rankdeck
