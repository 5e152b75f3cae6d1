// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a MindSpore .ckpt file, as 2.3 to 2.10 write it: a sequence of protobuf records (tag, dims, type,
// content). There is no header, index or trailer. Content is little-endian. Decoding refuses torn or inconsistent
// files. Pure.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck::demo {

struct TensorRecord {
    std::string name;
    std::vector<std::int64_t> dims = {};  // empty: a scalar
    std::string type;                     // "Float32", "Int32", "Int64", "Bool"
    std::string bytes;
    bool operator==(const TensorRecord &) const = default;
};

std::string encodeTensors(const std::vector<TensorRecord> &records);
// Error invalid, with the text of MindSpore's loader; its detail is the offset.
Result<std::vector<TensorRecord>> decodeTensors(std::string_view file, const std::string &path);

TensorRecord floatTensor(std::string name, std::vector<std::int64_t> dims, const float *values, std::size_t count);
TensorRecord floatScalar(std::string name, float value);
TensorRecord int32Vector(std::string name, std::int32_t value);  // dims [1], as for an optimizer's global_step
TensorRecord int64Scalar(std::string name, std::int64_t value);
TensorRecord boolScalar(std::string name, bool value);

// Error invalid if the record is not a single integer of 4 or 8 bytes.
Result<std::int64_t> integerOf(const TensorRecord &record);
// Returns nullptr if there is none.
const TensorRecord *findTensor(const std::vector<TensorRecord> &records, std::string_view name);

}  // namespace rankdeck::demo
