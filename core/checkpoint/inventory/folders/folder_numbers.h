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

struct FolderNumber {
    std::size_t part = 0;            // index of the folder's name in the path
    std::size_t begin = 0, end = 0;  // in that name
    int value = 0;
    std::string word = {};    // letters before it: "ckpt" in ckpt_2 and in x1_ckpt_2
    bool needsTimes = false;  // it may count stages of the training: only the times of files show a rank
};
// Numbers in the name of one folder, without those of steps, epochs and runs.
std::vector<FolderNumber> numbersOfFolder(const std::string &name, std::size_t part = 0, bool insideSave = false);
// The name with this number as '#': "ckpt_#".
std::string shapeOf(const std::string &name, const FolderNumber &number);
// The rest of the name without these numbers and their letters: "step_300" of step_300_gpu2. It is empty if it has no
// other number.
std::string restOf(const std::string &name, const std::vector<FolderNumber> &numbers);

// True for the letters of steps, epochs and runs: their folders are not parts of one save.
bool countsSomethingElse(std::string_view word);
// Returns 12 for "rank_12" and "rank12".
std::optional<int> parseRankFolder(std::string_view name);

// A directory that contains files of checkpoints.
struct CheckpointFolder {
    std::string path;
    std::vector<std::string> parts = {};             // its path below the root
    std::vector<FolderNumber> numbers = {};          // in its parts
    std::vector<std::size_t> twins = {};             // for each number: the first one that always has the same value
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
