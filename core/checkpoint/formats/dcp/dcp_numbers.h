// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of the items of a distributed checkpoint that show its step: few among thousands, because the optimizer counts
// for every parameter. Pure.
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
    std::vector<DcpItem> training = {};   // counts of the whole training, the most reliable first
    std::vector<DcpItem> optimizer = {};  // counts of single parameters, some of each shard
    bool commonState = false;             // newer Megatron keeps unsharded state there
};
// listed: whether a shard exists.
DcpNumbers chooseNumbers(const DcpMetadata &metadata, const std::function<bool(const std::string &file)> &listed);

bool isCommonState(const std::string &name);
bool isOptimizerStep(const std::string &name);
bool isEpochName(const std::string &name);

// The pickle of an item, which is a small torch zip.
std::optional<Pickle> pickleIn(const std::string &item);
// The value of an item that is a whole number, or a tensor of one.
std::optional<std::int64_t> wholeNumberIn(const std::string &item);

}  // namespace rankdeck
