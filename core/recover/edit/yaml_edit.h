// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of top-level values in a YAML file. Comments, order, quotes and line ends stay byte for byte. Refuses, naming
// the line: text that is not YAML, a root that is not a block mapping, duplicate keys and merge keys. A value that is
// to be changed must be a scalar on its line (no flow, anchor, alias, tag or block of text). Pure.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ConfigSetting {  // one key of a script's configuration file
    std::string key;
    std::string value;     // value as typed, without quotes
    bool literal = false;  // true, false, a number: never quoted
};

// Adds a missing key at the end. Error invalid: a line that cannot be edited, or a text that is not a mapping.
Result<std::string> editYaml(std::string_view text, const std::vector<ConfigSetting> &settings);

}  // namespace rankdeck
