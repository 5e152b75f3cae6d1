// SPDX-License-Identifier: GPL-3.0-or-later
// Names and numbers in the sentences of findings and reports. Pure.
#pragma once

#include "core/base/message.h"
#include "core/node/protocol/messages.h"
#include "core/verdict/verdict.h"

#include <string>
#include <vector>

namespace rankdeck {

Message ranksText(std::vector<int> ranks);                        // "rank 3", "ranks 0–3 and 7"; "no rank"
Message namesText(const std::vector<std::string> &names);         // "n0", "n0 and n1", "n0, n1 and n2"
std::string pidsText(const std::vector<ProcessInfo> &processes);  // "pid 4711 (python), pid 4712 (python)"
Message setText(const CheckpointSet &set);                        // "set 0:3-10 (epoch 3, step 10, global step 30)"
std::string fileStepText(const FileActionRequest &step);  // "move /a to /b"; bytes of the job file, not yet printable

}  // namespace rankdeck
