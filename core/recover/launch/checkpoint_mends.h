// SPDX-License-Identifier: GPL-3.0-or-later
// What a graceful exit leaves in MindSpore's checkpoints and a script that loads them into its train cell cannot use: a
// global_step without dimensions, which the optimizer refuses, and the two tags, which make a later stop uneven. As bytes to
// change in a copy, one for one. readMends asks the nodes and blocks; the rest is pure.
#pragma once

#include "core/recover/action_context.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct CheckpointMends {
    std::map<int, std::vector<BytePatch>> byRank = {};  // of ranks whose file needs something
    std::string problem = {};                           // why some file's could not be told; empty: all are
};
CheckpointMends readMends(ActionContext &host, const JobState &view, const CheckpointSet &set, SteadyTime deadline);

// Where the bytes lie that must be known for the patches, as spans of the file.
std::vector<FileSpan> spansToMend(const Evidence &evidence);
// bytes: of these spans, in their order. Nothing where all is as the optimizer and the train cell take it.
std::vector<BytePatch> patchesFor(const std::vector<FileSpan> &spans, const std::vector<std::string> &bytes);
// What a copy with these patches would still have that the optimizer refuses; empty: nothing.
std::string leftUnmended(const Evidence &evidence, const std::vector<BytePatch> &patches);

}  // namespace rankdeck
