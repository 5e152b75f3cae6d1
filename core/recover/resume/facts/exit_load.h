// SPDX-License-Identifier: GPL-3.0-or-later
// Training scripts that load only with MindSpore's OnRequestExit. It loads {directory}/rank_{device}/{name}_train.ckpt
// when the training begins, writes no log line about it, and counts epochs from 1. Therefore the plan puts copies of
// the chosen set there. Pure.
#pragma once

#include "core/recover/launch/checkpoint_mends.h"
#include "core/recover/resume/facts/resume_layout.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// True if the script trains and its own text never loads. (If an import did the loading, it would also do the
// training.)
bool trainsAndNeverLoads(const std::string &script);
// True if its callback saves and loads: false for OnRequestExit(save_ckpt=False).
bool exitCallbackLoads(const std::string &script);
// True if it loads into the cell that has the two tags, and does not skip the tags.
bool loadsIntoTrainCell(const std::string &script);

struct ExitLoad {
    std::map<int, std::string> files = {};  // rank → file that its callback loads; empty: another kind of script
    std::map<std::string, std::vector<FileActionRequest>> copies = {};  // node → steps, after its own save is renamed
    Message problem = {};  // for such a script: why the set cannot be put there
};
// scripts: node → text. layout: of the planned launch.
ExitLoad exitLoadOf(const JobState &view, const ResumeChoice &choice, const std::map<std::string, std::string> &scripts,
                    const PathStats &book, const ResumeLayout &layout, const CheckpointMends &mends);

}  // namespace rankdeck
