// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/parse/fields/log_sections.h"

#include "tests/testbed/paths.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace rankdeck {

namespace {

std::string withoutEscapes(const std::string &line)
{
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char next = line[i] == '\\' && i + 1 < line.size() ? line[i + 1] : '\0';
        switch (next) {
        case 'r': out += '\r', ++i; break;
        case 'e': out += '\x1b', ++i; break;
        case 't': out += '\t', ++i; break;
        case '\\': out += '\\', ++i; break;
        default: out += line[i];
        }
    }
    return out;
}

}  // namespace

std::vector<LogSection> sectionsOf(const std::string &fileOfData)
{
    std::ifstream file(testData() + "/" + fileOfData);
    if (!file) throw std::runtime_error("cannot read " + fileOfData);
    std::vector<LogSection> sections;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("%% ")) {
            sections.push_back({.name = line.substr(3, line.find(" | ") - 3)});
        } else if (sections.empty()) {
            continue;
        } else if (line.starts_with("%") && line.size() > 1 &&
                   (line[1] == '=' || line.starts_with("%load") || line.starts_with("%unread"))) {
            LogSection &section = sections.back();
            section.head = line;
            std::istringstream words(line.substr(1));
            words >> section.kind;
            for (std::string word; words >> word;)
                section.says[word.substr(0, word.find('='))] =
                    word.find('=') == std::string::npos ? "" : word.substr(word.find('=') + 1);
        } else {
            sections.back().lines.push_back(withoutEscapes(line));
        }
    }
    return sections;
}

}  // namespace rankdeck
