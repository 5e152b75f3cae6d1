// SPDX-License-Identifier: GPL-3.0-or-later
// Steps and ranks that a file's name lacks, taken from the folders around it or from the names beside it. Pure.
#pragma once

#include "core/checkpoint/formats/components/file_ranks.h"
#include "core/checkpoint/inventory/rank_locator.h"
#include "core/checkpoint/read/layouts.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

// step_200/rank_0.pt: the folder has the step that the file name lacks. For "0800000" and "ckpt_8" the step is a guess.
void takeStepOfFolder(const std::string &path, const std::string &root, const RankLocator &locator, ParsedName &name);

// Ranks in the names of composites that are named by their first file, by path: actor-0.pt with critic-0.pt.
std::map<std::string, FileRank> ranksOfComposites(const std::vector<Composite> &composites, const Listing &listing,
                                                  const RankLocator &locator);
// Removes a number that is the rank from the step of the name. Then the step is that of the folder.
void takeRankFromName(Composite &found, const FileRank &rank, const std::string &root);

}  // namespace rankdeck
