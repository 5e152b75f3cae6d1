// SPDX-License-Identifier: GPL-3.0-or-later
// MindSpore's parallel strategy files, which also end in .ckpt. They describe how each parameter is cut over the ranks
// of a pipeline stage (mindspore/ccsrc/utils/node_strategy.proto), and so which ranks hold the same parameters. Pure,
// except the reader.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/read/file_head.h"

#include <string_view>
#include <vector>

namespace rankdeck {

bool looksLikeStrategy(std::string_view head);
struct StrategyRanks {
    // Groups of at least two ranks of the file's stage that have equal parts of every parameter. Empty: no two ranks
    // are equal.
    std::vector<std::vector<int>> replicas = {};
    int end = 0;  // number after the last rank of its stage, a lower bound of the job's ranks; 0: unknown
};
// Error invalid: damaged.
Result<StrategyRanks> parseStrategyRanks(std::string_view bytes);
// Reader; never a checkpoint. meta "replica_groups": "0,2;1,3", "stage_end": "4".
std::unique_ptr<FormatReader> makeStrategyReader(const FileHead &opening);

}  // namespace rankdeck
