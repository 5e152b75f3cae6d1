// SPDX-License-Identifier: GPL-3.0-or-later
// Changes values of top-level keys of a YAML file and nothing else: comments, order, quotes and line ends stay byte for
// byte. Refused with its line: what is no YAML, a root that is no block mapping, duplicate and merge keys, and a value to
// be changed that is more than a scalar on its line (flow, anchor, alias, tag, block of text). Pure.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct ConfigSetting {  // of a script's configuration file
    std::string key;
    std::string value;     // as people write it, without quotes
    bool literal = false;  // true, false, a number: never quoted
};

// A key that is not there is added at the end. Error invalid: a line that cannot be edited, or a text that is no mapping.
Result<std::string> editYaml(std::string_view text, const std::vector<ConfigSetting> &settings);

}  // namespace rankdeck
