// SPDX-License-Identifier: GPL-3.0-or-later
// A directory listing in which the layouts search for checkpoints of several files. Links that leave the root are left
// out. Refers to the listing, which must outlive it. Pure.
#pragma once

#include "core/node/protocol/messages.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

// A folder that is recognised as a rank's by its siblings; its own name shows none.
struct RankFolder {
    int rank = 0;
    std::string rest = {};  // of its name without the rank, if it has other numbers: "step_300" of step_300_gpu2
};

class ListingTree {
public:
    explicit ListingTree(const Listing &listing, std::map<std::string, RankFolder> rankFolders = {});

    [[nodiscard]] const std::string &root() const { return m_listing.root; }
    // Regular files directly in each directory that has any, in the order of their names.
    [[nodiscard]] const std::map<std::string, std::vector<const FileEntry *>> &directories() const
    {
        return m_directories;
    }
    // All regular files below a directory at any depth, in path order.
    [[nodiscard]] std::vector<FileEntry> below(const std::string &directory) const;
    // Entry of a directory or file; nullptr: not listed.
    [[nodiscard]] const FileEntry *find(const std::string &path) const;
    // Files that are broken links or links to a target outside the root.
    [[nodiscard]] const std::vector<const FileEntry *> &leftOut() const { return m_leftOut; }
    [[nodiscard]] std::optional<int> rankOfFolder(const std::string &directory) const;
    // The path of this folder without the rank in its own name. Empty: the whole name is that of a rank.
    [[nodiscard]] std::string withoutRank(const std::string &directory) const;

private:
    const Listing &m_listing;
    std::map<std::string, std::vector<const FileEntry *>> m_directories;
    std::vector<const FileEntry *> m_files;  // by path
    std::vector<const FileEntry *> m_all;    // by path
    std::vector<const FileEntry *> m_leftOut;
    std::map<std::string, RankFolder> m_rankFolders;
};

// True for a link whose target is not below the root, by the names alone.
bool leavesRoot(const FileEntry &entry, const std::string &root);
// Returns "mp_rank_00/distrib_optim.pt" for such a path below a directory.
std::string_view pathBelow(std::string_view path, std::string_view directory);

}  // namespace rankdeck
