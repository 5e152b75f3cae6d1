// SPDX-License-Identifier: GPL-3.0-or-later
// Training scripts whose --resume is a switch, as MindX DL's ResNet50 for PyTorch has it: each rank loads the file of one
// name from whichever folder of its working directory a glob ("./rank*") meets first, and nobody can tell which that is. So
// only the chosen set may lie there: files of other saves go aside, and a node where none of the set is there is given a copy.
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
    std::string folders = {};  // what their names begin with: "rank"
    std::string file = {};     // in them: "model_best.pth.tar"
};
// By the script's own text; nullopt: it loads in another way, or not by a glob of folders. Pure.
std::optional<FolderGlob> folderGlobOf(const std::string &script);

struct RankFolders {
    std::optional<FolderGlob> glob = {};  // nullopt: no script that was read loads so
    bool assumed = false;                 // by --resume=true alone: what it starts could not be read
    bool switchedOff = false;             // the script asks for --resume, and launch.command has none
    std::string directory = {};           // of the first node, for people
    std::string newestOf = {};            // first_folder.h: the folder of whose files every rank loads the newest
    std::map<std::string, std::vector<FileActionRequest>> aside = {};   // node → steps
    std::map<std::string, std::vector<FileActionRequest>> copies = {};  // node → steps, after those
    std::map<int, std::vector<std::string>> loaded = {};  // rank → paths, of which it takes whichever it meets first
    struct Unknown {
        std::string node, path, problem;
    };
    std::vector<Unknown> unknown = {};  // directories of which not all is known
    // The scripts find what they load by themselves.
    [[nodiscard]] bool loads() const { return glob.has_value() || !newestOf.empty(); }
};

// What two looks met is one file, as far as its disk tells.
inline bool sameFile(const FileStat &a, const FileStat &b)
{
    return a.inode != 0 && a.inode == b.inode && a.size == b.size && a.mtimeNs == b.mtimeNs;
}

struct ChosenFile {  // of the set, as the plan leaves it
    int rank = -1;
    std::string path = {};
    FileStat stat = {};  // inode 0: not known there
};
struct FolderQuestion {
    const std::map<std::string, std::string> &scripts;  // node → text, as far as they could be read
    std::vector<ChosenFile> chosen = {};
    bool switchedOn = false;  // by --resume=true
    bool told = false;        // the ranks are told their files by words that reach the script
    std::string id = {};      // of the action
};
// Asks all nodes at once, twice; blocks until the deadline. The book is told what lies there.
RankFolders readRankFolders(ActionContext &host, const Job &job, const FolderQuestion &question, PathStats &book,
                            SteadyTime deadline);

}  // namespace rankdeck
