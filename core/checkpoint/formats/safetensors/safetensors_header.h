// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON header of a safetensors file, checked by every rule of the format (safetensors/src/tensor.rs): entries tile
// the buffer without gap or overlap, each as long as its shape says. Pure; bounded by the text it is given.
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
    std::uint64_t fileBytes = 0;  // what the file must be long
};

// json: the header without its length; Error invalid says which rule is broken.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json);
unsigned safetensorsTypeBits(std::string_view dtype);  // 0: unknown

}  // namespace rankdeck
