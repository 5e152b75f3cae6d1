// SPDX-License-Identifier: GPL-3.0-or-later
// The documents of a YAML file as JSON text, for objects that go to an API server: comments and order stay in the file, which
// is not changed. Anchors and aliases are refused: resolving them can make a small file a huge one. Pure. Error invalid: what
// is no YAML, or cannot be JSON.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

Result<std::vector<std::string>> yamlToJson(std::string_view text);

}  // namespace rankdeck
