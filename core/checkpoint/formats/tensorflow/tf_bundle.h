// SPDX-License-Identifier: GPL-3.0-or-later
// What the .index of a TensorFlow V2 checkpoint says: which tensor lies where in which data shard, with its checksum
// (tensorflow/core/protobuf/tensor_bundle.proto, core/util/tensor_bundle). Pure; bounded by the bytes it is given.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/tensor_list.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct TfBundleTensor {
    TensorInfo info;  // offset: in its shard
    std::uint32_t shard = 0;
    std::uint32_t crc = 0;       // of its bytes, unmasked
    bool crcOfItsBytes = false;  // of strings it is made of something else, of a whole in slices there is none
};

struct TfBundle {
    std::vector<TfBundleTensor> tensors = {};    // by name; a tensor in slices: each slice
    std::vector<std::uint64_t> shardBytes = {};  // how long each shard must be at least
    bool objectGraph = false;                    // made by tf.train.Checkpoint: names are paths of objects
};

// index: the whole file. Error invalid says which rule is broken; unsupported: more than is read, or big-endian.
Result<TfBundle> parseTfBundle(std::string_view index);
// "model.ckpt-1200.data-00000-of-00002"
std::string tfShardName(const std::string &prefix, std::size_t shard, std::size_t shards);

}  // namespace rankdeck
