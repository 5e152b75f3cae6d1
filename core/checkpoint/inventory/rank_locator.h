// SPDX-License-Identifier: GPL-3.0-or-later
// Assignment of files to ranks: by the job's path templates, by the name itself, or by the layout (rank_N directories).
// Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/inventory/folders/folder_numbers.h"
#include "core/checkpoint/inventory/folders/folder_rows.h"
#include "core/checkpoint/listing_tree.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct Place {
    int rank = -1;             // -1: nothing shows the rank
    std::string foreign = {};  // reason why a file with a rank is not counted
};

// The job's path templates, expanded once for all ranks and nodes. Ranks of different nodes may have the same path.
struct RankPaths {
    explicit RankPaths(const Job &job);

    std::map<std::string, std::vector<int>> directories = {};  // directory of checkpoints → its ranks, ascending
    std::map<std::string, std::vector<int>> gracefulFiles = {};
    // The same with the device in place of the rank, because MindSpore's OnRequestExit names its folders so.
    std::map<std::string, std::vector<int>> deviceDirectories = {};
    bool shared = false;  // all nodes see the same files
};

class RankLocator {
public:
    // For the listing of one node; node is nullptr if the job does not know it. Both must outlive it.
    RankLocator(const RankPaths &paths, const NodeSpec *node);

    // Finds the rank folders of this listing with folder_rows.h: ckpt_0, device_1, 2 … side by side.
    // unnamed: as for findFolderRanks().
    void learnCardFolders(const Listing &listing, const std::vector<const FileEntry *> &unnamed = {});

    [[nodiscard]] Place locate(const std::string &path, const std::string &root, const ParsedName &name) const;
    // Rank of a directory; nullopt: it does not belong to one rank.
    [[nodiscard]] std::optional<int> rankOfDirectory(const std::string &path, const std::string &root) const;
    // The rank whose graceful exit saves to this path by the job's template.
    [[nodiscard]] std::optional<int> gracefulRank(const std::string &path) const;
    // A folder whose number may be only a part of the rank: tp_1 with the file pp_0.pt, or node1 with rank0.pt. It is
    // empty if the folder's number is the whole rank, or no part of it.
    struct PartOfRank {
        int number = 0;
        std::string around;    // the file's directory without that number
        bool isGroup = false;  // names in the folder contain ranks
    };
    [[nodiscard]] std::optional<PartOfRank> partOfRank(const std::string &path, const std::string &root) const;
    // The folder's name without its rank: "step_300" for step_300_gpu2, "actor" for actor, empty for gpu2.
    [[nodiscard]] std::string nameWithoutRank(const std::string &folder) const;
    // True if the rank follows from a folder whose number may count something else.
    [[nodiscard]] bool isGuess(const std::string &path, const std::string &root) const;
    // The directory above the rank and TTP folders of a path, plus the directories between them and the file.
    [[nodiscard]] std::string seriesOf(const std::string &path, const std::string &root) const;
    // The directory that contains the folder with the file's rank; empty: none.
    [[nodiscard]] const std::string &aboveRank(const std::string &path, const std::string &root) const;
    [[nodiscard]] const std::vector<std::string> &notes() const { return m_notes; }
    [[nodiscard]] std::map<std::string, RankFolder> rankFolders() const;  // those of learnCardFolders()

private:
    [[nodiscard]] bool owns(int rank) const;
    [[nodiscard]] std::optional<int> byTemplate(std::string directory) const;
    [[nodiscard]] std::optional<int> byDevice(const std::string &directory) const;
    // Results for one directory, computed once, because its files follow each other in a listing.
    struct Directory {
        std::string path, root;
        std::optional<int> rank = {};
        std::string series = {}, aboveRank = {};
        bool guess = false;
    };
    [[nodiscard]] Directory look(const std::string &directory, const std::string &root) const;
    const Directory &directoryOf(const std::string &path, const std::string &root) const;
    const RankPaths &m_paths;
    const NodeSpec *m_node;
    FolderRanks m_cardFolders;
    std::vector<std::string> m_notes;
    mutable Directory m_last;  // used by one thread
};

// The number in the name of a directory that may be that of one rank of a job: rank_1, worker_2.
std::optional<std::int64_t> rankNamedBy(std::string_view directory);
// The last rank_N component of a path below root.
std::optional<int> rankFolderIn(std::string_view path, std::string_view root);

}  // namespace rankdeck
