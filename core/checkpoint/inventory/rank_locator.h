// SPDX-License-Identifier: GPL-3.0-or-later
// Whose file is this? By the job's path templates, by the name itself, or by the layout: rank_N directories. Pure.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/inventory/folder_rows.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct Place {
    int rank = -1;             // -1: nothing says whose it is
    std::string foreign = {};  // why a file with a rank is not counted
};

// The job's path templates, expanded once for all ranks and nodes. Ranks of several nodes may have one path.
struct RankPaths {
    explicit RankPaths(const Job &job);

    std::map<std::string, std::vector<int>> directories = {};  // of their checkpoints; ranks ascending
    std::map<std::string, std::vector<int>> gracefulFiles = {};
    // The same with the device in place of the rank, as MindSpore's OnRequestExit names its folders.
    std::map<std::string, std::vector<int>> deviceDirectories = {};
    bool shared = false;  // all nodes see the same files
};

class RankLocator {
public:
    // For what one node lists; node is nullptr when the job does not know it. Both must outlive it.
    RankLocator(const RankPaths &paths, const NodeSpec *node);

    // Folders per rank of this listing by folder_rows.h: ckpt_0, device_1, 2 … side by side.
    void learnCardFolders(const Listing &listing);

    [[nodiscard]] Place locate(const std::string &path, const std::string &root, const ParsedName &name) const;
    // Of a directory; nullopt: it is no rank's own.
    [[nodiscard]] std::optional<int> rankOfDirectory(const std::string &path, const std::string &root) const;
    // The rank whose graceful exit saves to this path by the job's template.
    [[nodiscard]] std::optional<int> gracefulRank(const std::string &path) const;
    // The rank follows from a folder whose number may count something else.
    [[nodiscard]] bool isGuess(const std::string &path, const std::string &root) const;
    // The directory above the rank and TTP folders of a path, with what lies between them and the file.
    [[nodiscard]] std::string seriesOf(const std::string &path, const std::string &root) const;
    // In what the folder lies that says the file's rank; empty: none does.
    [[nodiscard]] const std::string &aboveRank(const std::string &path, const std::string &root) const;
    [[nodiscard]] const std::vector<std::string> &notes() const { return m_notes; }

private:
    [[nodiscard]] bool owns(int rank) const;
    [[nodiscard]] std::optional<int> byTemplate(std::string directory) const;
    [[nodiscard]] std::optional<int> byDevice(const std::string &directory) const;
    // What follows from a directory alone is found once for all files of it, which a listing has side by side.
    struct Directory {
        std::string path, root;
        std::optional<int> rank = {};
        std::string series = {}, aboveRank = {};
        bool guess = false;
    };
    static std::string withoutRank(const std::string &name, std::optional<int> rank);
    [[nodiscard]] Directory look(const std::string &directory, const std::string &root) const;
    const Directory &directoryOf(const std::string &path, const std::string &root) const;
    const RankPaths &m_paths;
    const NodeSpec *m_node;
    std::map<std::string, FolderRank> m_cardFolders;
    std::vector<std::string> m_notes;
    mutable Directory m_last;  // one thread
};

// "rank_12" or "rank12": 12.
std::optional<int> parseRankFolder(std::string_view name);
// The number in the name of a directory that may be that of one rank of a job: rank_1, worker_2.
std::optional<std::int64_t> rankNamedBy(std::string_view directory);
// The last rank_N component of a path below root.
std::optional<int> rankFolderIn(std::string_view path, std::string_view root);

}  // namespace rankdeck
