// SPDX-License-Identifier: GPL-3.0-or-later
// Training scripts that load one folder's newest checkpoint into every rank, as MindX DL's ResNet50 for MindSpore does where
// pre_trained is a directory: that of ckpt_0. So nothing newer than the chosen set may lie there, and a node on whose disk the
// folder has none of the set is given a copy of what its first rank saved.
#pragma once

#include "core/recover/launch/rank_folders.h"

#include <string>

namespace rankdeck {

// "ckpt_0", by the script's own text; empty: it loads in another way, or the folder is not told by a word. Pure.
std::string firstFolderOf(const std::string &script);

// Asks all nodes at once; blocks until the deadline. newestOf is empty where no script loads so, or where the ranks are told
// their files (question.told). The book is told what lies there.
RankFolders readFirstFolder(ActionContext &host, const Job &job, const FolderQuestion &question, PathStats &book,
                            SteadyTime deadline);

}  // namespace rankdeck
