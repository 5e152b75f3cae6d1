// SPDX-License-Identifier: GPL-3.0-or-later
// Content of a TensorFlow V1 checkpoint file. The list of its tensors is under the key "". Each tensor's values are one
// or more slices, each in its own entry. Sources: tensorflow/core/util/saved_tensor_slice.proto, tensor.proto. Pure;
// bounded.
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
    std::size_t slices = 0;  // number of entries that must follow
};

// The value of the key "".
Result<TfV1Contents> parseTfV1Contents(std::string_view message);

struct TfV1Value {
    std::string scalar = {};       // set if it is a single whole number
    std::string_view floats = {};  // raw float32 values, if it has any
};
// The value of a tensor's own entry. Error invalid if it is damaged.
Result<TfV1Value> parseTfV1Value(std::string_view message);

}  // namespace rankdeck
