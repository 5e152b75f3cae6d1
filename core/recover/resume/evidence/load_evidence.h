// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence that the ranks of a node will load the chosen set, and in which way. Without evidence a launch might train
// from zero and overwrite the old checkpoints, so it is refused: docs/resume.md, "Evidence that the set is loaded".
// Pure.
#pragma once

#include "core/recover/resume/facts/resume_facts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rankdeck {

enum class LoadWay : std::uint8_t {
    none,
    staged,         // the plan puts the set into the directory that the script reads
    placeholder,    // {checkpoint} or {checkpoint_dir} in launch.command, which reaches the script
    configuration,  // an edit of launch.config, which the script reads
    variable,       // a variable of the environment, which the script reads
    option,         // an option of launch.command whose value leads to the set
    scriptText,     // the script finds the set without being given it
};

struct LoadEvidence {
    LoadWay way = LoadWay::none;
    Message text = {};                  // clause that describes the evidence
    std::vector<Message> against = {};  // with LoadWay::none, clauses: what was read, and why it shows nothing
    [[nodiscard]] bool isThere() const { return way != LoadWay::none; }
};
// facts: must have a choice that is fit.
LoadEvidence loadEvidence(const ResumeFacts &facts, const NodeSpec &node);

}  // namespace rankdeck
