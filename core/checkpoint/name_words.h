// SPDX-License-Identifier: GPL-3.0-or-later
// Words in names of files and folders. They are evidence for the meaning of a number beside them, never a proof. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// "checkpoint" for "checkpoint-" and "checkpoint": without the separators at the end.
std::string_view withoutJoints(std::string_view word);
// True for "device_", "gpu", "tp_rank_": a number after it is that of a process.
bool countsRanks(std::string_view word);
// True for "step", "epoch=", "it": a number after it is that of a save.
bool countsSaves(std::string_view word);
// True for "exp_", "trial", "seed-": a number after it is that of a run, not of a save in it.
bool countsRuns(std::string_view word);
// True if it contains "best", "latest", "bak" or the like: a second name or a copy of a save that also has its own
// name.
bool namesACopy(std::string_view name);
// "g" for "G_3000.pth": all letters of a name in lower case, without its extension.
std::string lettersOf(std::string_view baseName);
// "12" and "003" for "ckpt_12_003.pt": the runs of digits, as parts of the text.
std::vector<std::string_view> numbersIn(std::string_view text);

}  // namespace rankdeck
