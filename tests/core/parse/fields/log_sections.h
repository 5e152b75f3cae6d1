// SPDX-License-Identifier: GPL-3.0-or-later
// Files of tests/data that contain pieces of many logs: "%% name | source", a line "%KIND key=value …" with the meaning
// of the piece, and its lines. Escapes are \r, \e, \t and two backslashes for one. Throws if the file cannot be read.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct LogSection {
    std::string name;
    std::string kind = {};  // "=", "load" …; empty: the section has no such line
    std::string head = {};  // the whole line "%KIND …"
    std::map<std::string, std::string> says = {};
    std::vector<std::string> lines = {};
};
std::vector<LogSection> sectionsOf(const std::string &fileOfData);

}  // namespace rankdeck
