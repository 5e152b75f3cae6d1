// SPDX-License-Identifier: GPL-3.0-or-later
// JSON header of a safetensors file, checked by every rule of the format (safetensors/src/tensor.rs). Entries must tile
// the buffer without gap or overlap, each as long as its shape says. Pure; bounded by the given text.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/tensor_list.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors = {};  // by offset; offsets within the file
    std::map<std::string, std::string> metadata = {};
    std::uint64_t fileBytes = 0;  // required length of the file
};

// json: the header without its length; Error invalid names the broken rule.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json);
unsigned safetensorsTypeBits(std::string_view dtype);  // 0: unknown

}  // namespace rankdeck
