// SPDX-License-Identifier: GPL-3.0-or-later
// Handling of training scripts in which every rank loads the newest checkpoint of the first folder. MindX DL's ResNet50
// for MindSpore does so with ckpt_0 if pre_trained is a directory. Therefore files newer than the chosen set must not
// stay in that folder. If the folder of a node has no file of the set, it gets a copy of the file of the node's first
// rank.
#pragma once

#include "core/recover/launch/rank_folders.h"

#include <string>

namespace rankdeck {

// "ckpt_0", found in the text of the script. Empty: the script loads in another way, or does not name the folder
// literally. Pure.
std::string firstFolderOf(const std::string &script);

// Asks all nodes at once; blocks until the deadline. newestOf is empty if no script loads this way, or if the ranks are
// given their files (`question.told`). Adds the found files to `book`.
RankFolders readFirstFolder(ActionContext &host, const Job &job, const FolderQuestion &question, PathStats &book,
                            SteadyTime deadline);

}  // namespace rankdeck
