// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the files that TensorFlow derives from a checkpoint's prefix (tensor_bundle naming, train.Saver). Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <string_view>

namespace rankdeck {

struct TfFileName {
    // single: may be a V1 checkpoint, whose file is the prefix itself.
    enum class Role { none, index, data, shard, single, temporary } role = Role::none;
    std::string prefix = {};
    std::string count = {};  // number of shards in the name of a V1 shard: "00002"
    bool plain = false;      // shard, single: recognised by the name alone; otherwise only with a .meta beside it
};
TfFileName parseTfFileName(std::string_view baseName);

// Name of all shards of a V1 checkpoint together, as in the state file: "model.ckpt-1200-", five question marks,
// "-of-00002".
std::string tfShardsName(const std::string &prefix, const std::string &count);

// The claim of a prefix: model.ckpt-1200 is step 1200; ckpt-3 is the third save, at an unknown step.
ParsedName tfPrefixName(std::string_view prefix);

}  // namespace rankdeck
