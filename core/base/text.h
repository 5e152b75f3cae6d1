// SPDX-License-Identifier: GPL-3.0-or-later
// Makes text from a node safe for display and JSON, and formats numbers for people. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// One line of valid UTF-8 without control characters except tab. Bad bytes become U+FFFD, and terminal escapes are
// dropped. Characters that would begin a line or turn the reading direction are written out (\n, \u2028, \u202e).
std::string printable(std::string_view bytes);
// The same, but newlines stay: for a separate text of several lines.
std::string printableLines(std::string_view bytes);
// Replaces invalid UTF-8; changes nothing else.
std::string validUtf8(std::string_view bytes);
std::string grouped(std::int64_t number);    // 41,200
std::string bytesText(std::uint64_t bytes);  // "494 kB", "12 MB"
// 0-3, 5, 7-9: "0–3, 5, 7–9"; input sorted ascending.
std::string rankList(const std::vector<int> &ranks);
// The candidate with the smallest edit distance to word, if the distance is small enough for a typing error; otherwise
// empty.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);
std::string replaceAll(std::string text, std::string_view from, std::string_view to);
std::vector<std::string> split(std::string_view text, char separator);
inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
// As a separate identifier: "DATA" is in "x = $DATA", and not in "DATA_ROOT".
bool containsName(std::string_view text, std::string_view name);
// Decimal digits only, at most 15 of them.
std::optional<std::int64_t> decimal(std::string_view digits);
// Removes `start` from the text if the text begins with it; otherwise false and unchanged.
bool takeStart(std::string_view &text, std::string_view start);
// The same at the end; something must remain: ".ckpt" alone is not a name.
bool takeEnd(std::string_view &text, std::string_view end);
std::string shellQuoted(std::string_view argument);  // for scripts shown to people; this program never executes it
std::string baseName(std::string_view path);
std::string dirName(std::string_view path);  // "." when there is no slash
std::string joinPath(std::string_view directory, std::string_view name);
std::string withoutSlash(std::string path);  // without the slash at its end; "/" stays
std::string withoutStop(std::string text);   // without the full stop, for the middle of a sentence

}  // namespace rankdeck
