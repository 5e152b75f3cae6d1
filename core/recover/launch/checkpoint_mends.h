// SPDX-License-Identifier: GPL-3.0-or-later
// Patches for MindSpore's checkpoints of a graceful exit, for scripts that load them into the train cell. Two parts of
// such a checkpoint cause problems. The optimizer refuses a global_step without dimensions, and with the two tags ranks
// would later stop unevenly. The patches replace bytes in a copy by as many others. readMends asks the nodes and
// blocks; the rest is pure.
#pragma once

#include "core/recover/action_context.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct CheckpointMends {
    std::map<int, std::vector<BytePatch>> byRank = {};  // only ranks whose file needs a patch
    Message problem = {};                               // reason why a file's patches are unknown; empty: all known
};
CheckpointMends readMends(ActionContext &host, const JobState &view, const CheckpointSet &set, SteadyTime deadline);

// Parts of the file that must be read before patches can be made.
std::vector<FileSpan> spansToMend(const Evidence &evidence);
// bytes: contents of these spans, in order. Empty if the optimizer and the train cell already accept everything.
std::vector<BytePatch> patchesFor(const std::vector<FileSpan> &spans, const std::vector<std::string> &bytes);
// Parts of a patched copy that the optimizer would still refuse; empty: none.
Message leftUnmended(const Evidence &evidence, const std::vector<BytePatch> &patches);

}  // namespace rankdeck
