// SPDX-License-Identifier: GPL-3.0-or-later
// Handling of training scripts whose --resume is a switch, such as MindX DL's ResNet50 for PyTorch. Each rank loads a
// file with a fixed name from the first folder of its working directory that matches a glob ("./rank*"). Which folder
// is the first cannot be predicted, so only files of the chosen set may be there. Files of other saves are renamed as
// backups, and a node without a file of the set gets a copy.
#pragma once

#include "core/recover/action_context.h"
#include "core/recover/host/path_stats.h"
#include "core/recover/plan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct FolderGlob {
    std::string folders = {};  // prefix of their names: "rank"
    std::string file = {};     // file in them: "model_best.pth.tar"
};
// Found in the text of the script; nullopt: it loads in another way, or not by a glob of folders. Pure.
std::optional<FolderGlob> folderGlobOf(const std::string &script);

struct RankFolders {
    std::optional<FolderGlob> glob = {};  // nullopt: no script that was read loads in this way
    bool assumed = false;                 // concluded from --resume=true alone: the script could not be read
    bool switchedOff = false;             // the script supports --resume, but launch.command does not have it
    std::string directory = {};           // working directory on the first node, for display
    std::string newestOf = {};            // folder of which every rank loads the newest file (first_folder.h)
    std::map<std::string, std::vector<FileActionRequest>> aside = {};   // node → steps
    std::map<std::string, std::vector<FileActionRequest>> copies = {};  // node → steps, after the renames
    std::map<int, std::vector<std::string>> loaded = {};                // rank → files; it loads the first one found
    struct Unknown {
        std::string node, path, problem;
    };
    std::vector<Unknown> unknown = {};  // directories that could not be read completely
    // True if the scripts themselves choose the files that they load.
    [[nodiscard]] bool loads() const { return glob.has_value() || !newestOf.empty(); }
};

// True if both stats describe the same file, as far as the disk shows.
inline bool sameFile(const FileStat &a, const FileStat &b)
{
    return a.inode != 0 && a.inode == b.inode && a.size == b.size && a.mtimeNs == b.mtimeNs;
}

struct ChosenFile {  // file of the set, after the plan
    int rank = -1;
    std::string path = {};
    FileStat stat = {};  // inode 0: unknown there
};
struct FolderQuestion {
    const std::map<std::string, std::string> &scripts;  // node → text, as far as they could be read
    std::vector<ChosenFile> chosen = {};
    bool switchedOn = false;  // the command contains --resume=true
    bool told = false;        // the command gives the ranks their files, and the script receives them
    std::string id = {};      // id of the action
};
// Asks all nodes at once, twice; blocks until the deadline. Adds the found files to `book`.
RankFolders readRankFolders(ActionContext &host, const Job &job, const FolderQuestion &question, PathStats &book,
                            SteadyTime deadline);

}  // namespace rankdeck
