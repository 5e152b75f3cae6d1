// SPDX-License-Identifier: GPL-3.0-or-later
// Which framework wrote the checkpoints, by the formats of what was read. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <string>
#include <vector>

namespace rankdeck {

// The name as in a job file: "mindspore", "mindformers", "pytorch" …; the framework of most files. evidence: parallel
// to members.
std::string frameworkOf(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence);

}  // namespace rankdeck
