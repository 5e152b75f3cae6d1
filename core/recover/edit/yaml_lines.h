// SPDX-License-Identifier: GPL-3.0-or-later
// A YAML file as lines, as far as an editor of its top-level scalars must know it: which line is a key of the root, what
// its value is and where, and which lines belong to it. Refuses what it cannot tell. Pure.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct YamlKey {  // one key of the root
    std::string name;
    std::size_t line = 0;        // index, from 0
    std::size_t valueBegin = 0;  // byte in the file; of an empty value: behind the colon
    std::size_t valueEnd = 0;    // without trailing blanks and comment
    bool nested = false;         // has lines of its own below it
};

struct YamlRoot {
    std::vector<YamlKey> keys = {};
    std::size_t end = 0;  // of the first document; what follows (help texts of ResNet's files) is nobody's setting
};
// Error invalid naming the line.
Result<YamlRoot> yamlRoot(std::string_view text);

}  // namespace rankdeck
