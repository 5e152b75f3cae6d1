// SPDX-License-Identifier: GPL-3.0-or-later
// Handling of training scripts that load one folder's newest checkpoint into every rank. MindX DL's ResNet50 for
// MindSpore does so with the folder ckpt_0, if pre_trained is a directory. Therefore files newer than the chosen set
// must not stay there. A node whose folder has no file of the set gets a copy of its first rank's file.
#pragma once

#include "core/recover/launch/rank_folders.h"

#include <string>

namespace rankdeck {

// "ckpt_0", from the script's own text. Empty: the script loads in another way, or does not name the folder literally.
// Pure.
std::string firstFolderOf(const std::string &script);

// Asks all nodes at once; blocks until the deadline. newestOf is empty if no script loads this way, or if the ranks are
// given their files (`question.told`). Adds the found files to `book`.
RankFolders readFirstFolder(ActionContext &host, const Job &job, const FolderQuestion &question, PathStats &book,
                            SteadyTime deadline);

}  // namespace rankdeck
