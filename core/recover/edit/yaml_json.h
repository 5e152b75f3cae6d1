// SPDX-License-Identifier: GPL-3.0-or-later
// Converter from the documents of a YAML file to JSON text, for objects that are sent to an API server. The file
// itself, with its comments and order, is not changed. Anchors and aliases are refused, because resolving them can make
// a small file huge. Pure. Error invalid: text that is not YAML or cannot be JSON.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

Result<std::vector<std::string>> yamlToJson(std::string_view text);

}  // namespace rankdeck
