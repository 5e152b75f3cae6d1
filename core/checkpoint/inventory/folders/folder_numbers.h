// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the names of folders that may be a rank. Two numbers of a path may always be equal: in
// train_parallel2/ckpt_2, both are the rank. Pure.
#pragma once

#include "core/node/protocol/messages.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

inline constexpr std::size_t deepestFolder = 8;  // levels below the root

// The name of one folder.
struct FolderName {
    std::string word;  // "ckpt_" of ckpt_2; "rank_#_ckpt" of rank_2_ckpt
    std::optional<int> number = {};
    bool needsTimes = false;  // it may count stages of the training: only the times of files show a rank
};
FolderName folderNameOf(std::string_view name);
bool meansRank(std::string_view word);  // FolderName::word
// Returns 12 for "rank_12" and "rank12".
std::optional<int> parseRankFolder(std::string_view name);

// True for the letters of steps, epochs and runs: their folders are not parts of one save.
bool countsSomethingElse(std::string_view word);

// A directory that contains files of checkpoints.
struct CheckpointFolder {
    std::string path;
    std::vector<std::string> parts = {};             // its path below the root
    std::vector<FolderName> names = {};              // of the parts; with a number only if it may be a rank
    std::vector<std::size_t> twins = {};             // for each part: the first part that always has the same number
    std::map<std::string, std::int64_t> files = {};  // names, and times in nanoseconds
    bool numberedFiles = false;                      // some of them contain their own epoch or step
    std::set<int> ranks = {};                        // in the names of the files
};

struct CheckpointFile {
    const FileEntry *entry = nullptr;
    bool isNumbered = false;  // the name of the file contains its own epoch or step
    std::optional<int> rank = {};
};

// The folders of these files below the root. Folders inside a folder of a rank, and too deep ones, are left out.
std::vector<CheckpointFolder> checkpointFolders(const std::string &root, const std::vector<CheckpointFile> &files);

}  // namespace rankdeck
