// SPDX-License-Identifier: GPL-3.0-or-later
// Training scripts that load only with MindSpore's OnRequestExit. It takes {directory}/rank_{device}/{name}_train.ckpt
// when the training begins. It writes no log line about it, and counts epochs from 1. So the plan puts copies of the
// chosen set there that it can load. Pure.
#pragma once

#include "core/recover/launch/checkpoint_mends.h"
#include "core/recover/resume/facts/resume_layout.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// The script trains, and its text never loads. An import could load, but then the training would be in the import too.
bool trainsAndNeverLoads(const std::string &script);
// Its callback saves and loads: false for OnRequestExit(save_ckpt=False).
bool exitCallbackLoads(const std::string &script);
// It loads into the cell that holds the two tags, and does not leave them out.
bool loadsIntoTrainCell(const std::string &script);

struct ExitLoad {
    std::map<int, std::string> files = {};  // rank → file that its callback loads; empty: another kind of script
    std::map<std::string, std::vector<FileActionRequest>> copies = {};  // node → steps, after its own save is renamed
    Message problem = {};  // why the set cannot be put there, for such a script
};
// scripts: node → text. layout: of the planned launch.
ExitLoad exitLoadOf(const JobState &view, const ResumeChoice &choice, const std::map<std::string, std::string> &scripts,
                    const PathStats &book, const ResumeLayout &layout, const CheckpointMends &mends);

}  // namespace rankdeck
