// SPDX-License-Identifier: GPL-3.0-or-later
// Root mapping of a YAML file, for an editor of its scalars: each key, its value, and the value's position. Read with
// libfyaml's events: no node is built, no alias is followed. Pure.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct YamlKey {  // one key of the root
    std::string name;
    std::size_t line = 0;        // index, from 0
    std::size_t valueBegin = 0;  // byte in the file, at the quote if there is one; for an empty value: after the colon
    std::size_t valueEnd = 0;
    std::string value = {};  // parsed value: without quotes and escapes
    // Reason why the value cannot be replaced on its line: "an anchor, which other places may refer to". Empty: it can.
    std::string obstacle = {};
};

struct YamlRoot {
    std::vector<YamlKey> keys = {};
    std::size_t end = 0;  // end of the first document; the text after it (help texts of ResNet's files) has no settings
};
// Error invalid, with the line: no YAML, no block mapping, a duplicate key, a merge key, or a key that is not a plain
// word.
Result<YamlRoot> yamlRoot(std::string_view text);

}  // namespace rankdeck
