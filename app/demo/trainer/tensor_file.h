// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a MindSpore .ckpt, as 2.3 to 2.10 write it: a row of protobuf records (tag, dims, type, content), no
// header, no index, no trailer. Content is little-endian. Decoding refuses what is torn or does not add up. Pure.
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
// Error invalid, with the wording of MindSpore's loader and the offset in detail.
Result<std::vector<TensorRecord>> decodeTensors(std::string_view file, const std::string &path);

TensorRecord floatTensor(std::string name, std::vector<std::int64_t> dims, const float *values, std::size_t count);
TensorRecord floatScalar(std::string name, float value);
TensorRecord int32Vector(std::string name, std::int32_t value);  // dims [1], as an optimizer's global_step
TensorRecord int64Scalar(std::string name, std::int64_t value);
TensorRecord boolScalar(std::string name, bool value);

// Error invalid when the record is not one integer of 4 or 8 bytes.
Result<std::int64_t> integerOf(const TensorRecord &record);
// nullptr when there is none.
const TensorRecord *findTensor(const std::vector<TensorRecord> &records, std::string_view name);

}  // namespace rankdeck::demo
