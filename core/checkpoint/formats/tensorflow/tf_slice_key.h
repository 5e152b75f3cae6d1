// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of tensor slices in TensorFlow's tables: 0, the name, the number of dimensions, and the beginning and length of
// the slice. (Sources: core/lib/strings/ordered_code, core/util/saved_tensor_slice_util.) Only the name is needed.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// The name of the tensor; nullopt: the key is not that of a slice.
std::optional<std::string> tfSliceTensor(std::string_view key);
// Common beginning of the keys of all slices of this tensor.
std::string tfSliceKeyStart(std::string_view name);

}  // namespace rankdeck
