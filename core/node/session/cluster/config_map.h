// SPDX-License-Identifier: GPL-3.0-or-later
// One key of a ConfigMap, in the JSON of the API server, and the same object with another value for this key.
// Everything else stays, including the resourceVersion: by it the server refuses the write if another writer was
// faster. Pure. Errors: invalid (not such an object), notFound (the key is missing). Nothing is written in these cases.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace rankdeck {

struct ConfigMapValue {
    std::string text;
    std::string resourceVersion;
    std::int64_t changedNs = 0;  // time of the last write, in whole seconds of the server's clock; 0: unknown
};

Result<ConfigMapValue> readConfigMapValue(const std::string &object, const std::string &key);
// If the object has a key checkCode, its value becomes the SHA-256 of the new text, as in objects of MindX DL's
// components.
Result<std::string> withConfigMapValue(const std::string &object, const std::string &key, const std::string &text);
std::string sha256Hex(const std::string &text);

}  // namespace rankdeck
