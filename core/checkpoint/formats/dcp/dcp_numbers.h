// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a distributed checkpoint that say at which step it was saved: few among thousands, because the optimizer
// counts for every parameter. Pure.
#pragma once

#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/formats/dcp/dcp_metadata.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct DcpNumbers {
    std::vector<DcpItem> training = {};   // of the whole training, the one that counts most first
    std::vector<DcpItem> optimizer = {};  // of single parameters, some of each shard
    bool commonState = false;             // newer Megatron keeps there what is not sharded
};
// listed: whether a shard is there.
DcpNumbers chooseNumbers(const DcpMetadata &metadata, const std::function<bool(const std::string &file)> &listed);

bool isCommonState(const std::string &name);
bool isOptimizerStep(const std::string &name);
bool isEpochName(const std::string &name);

// An item is a small torch zip: its pickle.
std::optional<Pickle> pickleIn(const std::string &item);
// An item that is a whole number, or a tensor of one.
std::optional<std::int64_t> wholeNumberIn(const std::string &item);

}  // namespace rankdeck
