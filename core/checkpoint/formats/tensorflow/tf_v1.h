// SPDX-License-Identifier: GPL-3.0-or-later
// What a TensorFlow V1 checkpoint file holds: the list of its tensors under the key "", and each tensor's values, as one
// or more slices, in an entry of their own (tensorflow/core/util/saved_tensor_slice.proto, tensor.proto). Pure; bounded.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/tensor_list.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct TfV1Contents {
    std::vector<TensorInfo> tensors = {};
    std::size_t slices = 0;  // entries that must follow
};

// The value of the key "".
Result<TfV1Contents> parseTfV1Contents(std::string_view message);

struct TfV1Value {
    std::string scalar = {};       // when it is a single whole number
    std::string_view floats = {};  // raw float32 values, when it has such
};
// The value of a tensor's own entry. Error invalid when it is damaged.
Result<TfV1Value> parseTfV1Value(std::string_view message);

}  // namespace rankdeck
