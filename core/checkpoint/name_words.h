// SPDX-License-Identifier: GPL-3.0-or-later
// Words in names of files and folders. They are evidence for what a number beside them counts, never a proof. Pure.
#pragma once

#include <string>
#include <string_view>

namespace rankdeck {

// "checkpoint-" and "checkpoint": without the joints at the end.
std::string_view withoutJoints(std::string_view word);
// "device_", "gpu", "tp_rank_": the number behind it is that of a process.
bool countsRanks(std::string_view word);
// "exp_", "trial", "seed-": the number behind it is that of a run, not of a save in it.
bool countsRuns(std::string_view word);
// Has "best", "latest", "bak" or the like in it: a second name or a copy of a save that has its own name, too.
bool namesACopy(std::string_view name);
// "G_3000.pth": "g". All letters of a name in lower case, without its extension.
std::string lettersOf(std::string_view baseName);

}  // namespace rankdeck
