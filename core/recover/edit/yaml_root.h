// SPDX-License-Identifier: GPL-3.0-or-later
// The root mapping of a YAML file as an editor of its scalars must know it: each key, its value, and where that stands.
// Read by libfyaml, event by event: no node is built, no alias followed. Pure.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct YamlKey {  // one key of the root
    std::string name;
    std::size_t line = 0;        // index, from 0
    std::size_t valueBegin = 0;  // byte in the file, at the quote if there is one; of an empty value: behind the colon
    std::size_t valueEnd = 0;
    std::string value = {};  // as it is read: without quotes and escapes
    // Why the value cannot be replaced by one on its line: "an anchor, which other places may refer to". Empty: it can.
    std::string obstacle = {};
};

struct YamlRoot {
    std::vector<YamlKey> keys = {};
    std::size_t end = 0;  // of the first document; what follows (help texts of ResNet's files) is nobody's setting
};
// Error invalid naming the line: no YAML, no block mapping, a key twice, a merge key, a key that is no plain word.
Result<YamlRoot> yamlRoot(std::string_view text);

}  // namespace rankdeck
