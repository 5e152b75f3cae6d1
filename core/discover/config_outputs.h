// SPDX-License-Identifier: GPL-3.0-or-later
// Where a training saves by its own YAML file, when its command line names that file and nothing else does: output_path of
// ModelZoo's models, output_dir of MindFormers; and where its script has MindSpore's fault tolerance dump. Reads, bounded; blocks until the deadline.
#pragma once

#include "core/discover/job_evidence.h"

namespace rankdeck {

struct ConfigOutputs {
    std::vector<std::string> directories = {};  // absolute
    // Files that are no YAML, or half of one, with why: "…/resnet50.yaml: line 7: …". Nothing of them is used.
    std::vector<std::string> problems = {};
};
// Of the first rank of a node; the others have the same file, or one like it.
ConfigOutputs configOutputs(const FoundNode &node, NodeClient &client, SteadyTime deadline);

// ---- pure part
// Where MindSpore's fault tolerance dumps, by the script's own text; empty: it has none.
std::string dumpsOf(const std::string &script, const std::string &directory);
// Values of the root's keys that name a place to save, of the first document. Relative ones lie below `directory`. Error
// invalid: what is no YAML.
Result<std::vector<std::string>> outputsIn(const std::string &yaml, const std::string &directory);

}  // namespace rankdeck
