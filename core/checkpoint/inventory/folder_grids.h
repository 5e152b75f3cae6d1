// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of which two or more numbers together give the rank: host-1/gpu-0, dp1_mp0. The outer number is the most
// significant. Pure.
#pragma once

#include "core/checkpoint/inventory/folder_rows.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

inline constexpr std::size_t deepestFolder = 8;  // levels below the root

// True for the letters of steps, epochs and runs: their folders are not parts of one save.
bool countsSomethingElse(std::string_view word);

class FolderGrids {
public:
    struct Place {
        std::vector<int> numbers;
        std::vector<std::string> folders;  // folders with these numbers
        std::string file;
    };

    void add(const std::string &root, const std::string &path);  // the path of a file
    void take(std::map<std::string, FolderRank> &out) const;     // the ranks of the folders, by path

private:
    std::map<std::string, std::vector<Place>> m_grids;  // by the path without the numbers
};

}  // namespace rankdeck
