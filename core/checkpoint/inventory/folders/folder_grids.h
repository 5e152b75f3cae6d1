// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of which two or more numbers together give the rank: host-1/gpu-0, dp1_mp0, 300/dp1/mp0. The outer number is
// the most significant. Numbers that count saves are left out. Pure.
#pragma once

#include "core/checkpoint/inventory/folders/folder_numbers.h"
#include "core/checkpoint/inventory/folders/folder_rows.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class FolderGrids {
public:
    struct Place {
        std::vector<int> numbers;
        struct Folder {
            std::string path;
            FolderNumber number;
        };
        std::vector<Folder> folders;  // with these numbers
        std::string file;
        std::int64_t timeNs = 0;
        bool namesARank = false;  // one of the folders is rank_N: the whole rank, unless the times show otherwise
    };

    void add(const std::string &root, const FileEntry &file);
    void take(std::map<std::string, FolderRank> &out) const;  // the ranks of the folders, by path

private:
    std::map<std::string, std::vector<Place>> m_grids;  // by the path without the numbers
};

}  // namespace rankdeck
