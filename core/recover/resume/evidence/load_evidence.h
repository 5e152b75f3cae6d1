// SPDX-License-Identifier: GPL-3.0-or-later
// How the ranks of a node learn what to load, and what shows it. Without evidence a launch may train from zero and overwrite
// the old checkpoints, so it is refused: docs/resume.md, "Evidence that the set is loaded". Pure.
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
    variable,       // of the environment, which the script reads
    option,         // of launch.command: its value leads to the set
    scriptText,     // the script finds the set without being given it
};

struct LoadEvidence {
    LoadWay way = LoadWay::none;
    Message text = {};                  // a clause: what shows it
    std::vector<Message> against = {};  // clauses, with LoadWay::none: what was read, and why it shows nothing
    [[nodiscard]] bool isThere() const { return way != LoadWay::none; }
};
// facts: with a choice that is fit.
LoadEvidence loadEvidence(const ResumeFacts &facts, const NodeSpec &node);

}  // namespace rankdeck
