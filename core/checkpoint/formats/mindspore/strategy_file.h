// SPDX-License-Identifier: GPL-3.0-or-later
// MindSpore's parallel strategy files, which end in .ckpt too: how each parameter is cut over the ranks of a pipeline
// stage (mindspore/ccsrc/utils/node_strategy.proto). From it follows which ranks hold the same. Pure but for the reader.
#pragma once

#include "core/base/result.h"
#include "core/checkpoint/read/file_head.h"

#include <string_view>
#include <vector>

namespace rankdeck {

bool looksLikeStrategy(std::string_view head);
struct StrategyRanks {
    // Ranks of the file's stage that hold equal parts of every parameter, at least two each. Empty: each holds its own.
    std::vector<std::vector<int>> replicas = {};
    int end = 0;  // the number behind the last rank of its stage, so the job has at least as many; 0: it says nothing
};
// Error invalid: damaged.
Result<StrategyRanks> parseStrategyRanks(std::string_view bytes);
// Never a checkpoint; meta "replica_groups": "0,2;1,3", "stage_end": "4".
std::unique_ptr<FormatReader> makeStrategyReader(const FileHead &opening);

}  // namespace rankdeck
