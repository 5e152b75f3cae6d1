// SPDX-License-Identifier: GPL-3.0-or-later
// Training scripts whose only load is MindSpore's OnRequestExit: it takes {directory}/rank_{device}/{name}_train.ckpt, when
// the training begins, without a line in the log, and counts epochs from 1. So the chosen set is put there, in copies that it
// can load. Pure.
#pragma once

#include "core/recover/launch/checkpoint_mends.h"
#include "core/recover/resume/facts/resume_layout.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// It trains, and no word of it is about loading: what it imports could, but then the training is there too.
bool trainsAndNeverLoads(const std::string &script);
// Its callback saves and loads: false for OnRequestExit(save_ckpt=False).
bool exitCallbackLoads(const std::string &script);
// It hands what it loads to the cell that holds the two tags, and does not leave them out.
bool loadsIntoTrainCell(const std::string &script);

struct ExitLoad {
    std::map<int, std::string> files = {};  // rank → what its callback loads; empty: the script is none of these
    std::map<std::string, std::vector<FileActionRequest>> copies = {};  // node → steps, after its own save went aside
    std::string problem = {};  // why the set cannot be put there, where the script is one of these
};
// scripts: node → text. layout: as it would be launched.
ExitLoad exitLoadOf(const JobState &view, const ResumeChoice &choice, const std::map<std::string, std::string> &scripts,
                    const PathStats &book, const ResumeLayout &layout, const CheckpointMends &mends);

}  // namespace rankdeck
