// SPDX-License-Identifier: GPL-3.0-or-later
// The .index of a TensorFlow V2 checkpoint: for each tensor its data shard, its position and its checksum
// (tensorflow/core/protobuf/tensor_bundle.proto, core/util/tensor_bundle). Pure; bounded by the given bytes.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/tensor_list.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct TfBundleTensor {
    TensorInfo info;  // the offset is within its shard
    std::uint32_t shard = 0;
    std::uint32_t crc = 0;  // checksum of its bytes, unmasked
    // False for strings, whose checksum covers something else, and for sliced tensors, which have none.
    bool crcOfItsBytes = false;
};

struct TfBundle {
    std::vector<TfBundleTensor> tensors = {};    // by name; for a sliced tensor: each slice
    std::vector<std::uint64_t> shardBytes = {};  // minimum length of each shard
    bool objectGraph = false;                    // made by tf.train.Checkpoint: names are paths of objects
};

// index: the whole file. Error invalid names the broken rule; unsupported: beyond the limits, or big-endian.
Result<TfBundle> parseTfBundle(std::string_view index);
// "model.ckpt-1200.data-00000-of-00002"
std::string tfShardName(const std::string &prefix, std::size_t shard, std::size_t shards);

}  // namespace rankdeck
