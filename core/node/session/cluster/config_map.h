// SPDX-License-Identifier: GPL-3.0-or-later
// One key of a ConfigMap, in the JSON of the API server, and the same object with another value of it. All other parts
// stay. The resourceVersion stays, too: by it, the server refuses the write if another writer was faster. Pure. Errors:
// invalid, if it is not such an object; notFound, if the key is missing. Nothing is written then.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace rankdeck {

struct ConfigMapValue {
    std::string text;
    std::string resourceVersion;
    std::int64_t changedNs = 0;  // time of the last write, by the server's clock in whole seconds; 0: unknown
};

Result<ConfigMapValue> readConfigMapValue(const std::string &object, const std::string &key);
// If the object has a key checkCode, it becomes the SHA-256 of the new text, as MindX DL's components write it.
Result<std::string> withConfigMapValue(const std::string &object, const std::string &key, const std::string &text);
std::string sha256Hex(const std::string &text);

}  // namespace rankdeck
