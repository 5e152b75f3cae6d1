// SPDX-License-Identifier: GPL-3.0-or-later
// Output directories of a training from its own YAML file, if its command line names that file: output_path of
// ModelZoo's models, output_dir of MindFormers. Also the directory into which MindSpore's fault tolerance dumps, from
// its script. Reads, bounded; blocks until the deadline.
#pragma once

#include "core/discover/job_evidence.h"

namespace rankdeck {

struct ConfigOutputs {
    std::vector<std::string> directories = {};  // absolute
    // Files that are not YAML, or are incomplete, with the reason: "…/resnet50.yaml: line 7: …". Nothing in them is
    // used.
    std::vector<std::string> problems = {};
};
// Reads those of a node's first rank; the other ranks have the same file, or a similar one.
ConfigOutputs configOutputs(const FoundNode &node, NodeClient &client, SteadyTime deadline);

// ---- pure part
// Directory into which MindSpore's fault tolerance dumps, from the script's own text; empty: none.
std::string dumpsOf(const std::string &script, const std::string &directory);
// Values of the root's keys that name an output directory, in the first document. Relative ones are below `directory`.
// Error invalid: text that is not YAML.
Result<std::vector<std::string>> outputsIn(const std::string &yaml, const std::string &directory);

}  // namespace rankdeck
