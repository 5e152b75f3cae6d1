// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/first_folder.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/launch/recipe.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace rankdeck {

namespace {

constexpr std::uint32_t mostFiles = 20000;

// One node, or several nodes with one disk.
struct FolderPlace {
    const NodeSpec *node = nullptr;
    std::string folder = {};  // path for its ranks: beside their own folders
    Reply<Listing> reply = {};
};

std::vector<FolderPlace> folderPlaces(const Job &job, const FolderQuestion &question, const std::string &name)
{
    std::vector<FolderPlace> places;
    for (const NodeSpec *node : nodesByRank(job)) {
        const auto own = std::find_if(question.chosen.begin(), question.chosen.end(), [&](const ChosenFile &file) {
            return std::find(node->ranks.begin(), node->ranks.end(), file.rank) != node->ranks.end();
        });
        // The chosen file must be in a folder such as "ckpt_3" beside "ckpt_0"; any other layout does not belong to
        // this script.
        if (own == question.chosen.end() || !baseName(dirName(own->path)).starts_with(name.substr(0, name.size() - 1)))
            continue;
        places.push_back({.node = node, .folder = joinPath(dirName(dirName(own->path)), name)});
        if (job.pathsShared) break;
    }
    return places;
}

using Seen = std::map<std::string, FileStat>;  // paths that will be renamed; nodes may see one disk

class FirstFolder {
public:
    FirstFolder(RankFolders &into, const FolderPlace &place, const FolderQuestion &question)
        : m_into(into), m_folder(place.folder), m_node(*place.node), m_question(question)
    {
        for (const ChosenFile &file : question.chosen)
            if (std::find(m_node.ranks.begin(), m_node.ranks.end(), file.rank) != m_node.ranks.end())
                m_own.push_back(&file);
    }

    void decide(const Listing &listing, bool missing, Seen &moved)
    {
        const FileEntry *chosen = nullptr;
        for (const FileEntry &entry : listing.entries)
            if (isChosen(entry)) chosen = &entry;
        for (const FileEntry &entry : listing.entries) {
            const bool other = &entry != chosen && entry.path.ends_with(".ckpt") && entry.stat.kind != 'd';
            const bool inTheWay = chosen == nullptr || entry.stat.mtimeNs >= chosen->stat.mtimeNs;
            if (other && inTheWay && !mayBeAnothersChosen(entry)) backUp(entry, moved);
        }
        const std::string loaded = chosen ? chosen->path : copy(missing);
        for (const int rank : m_node.ranks)
            if (!loaded.empty()) m_into.loaded[rank] = {loaded};
    }

private:
    // Files of this node's ranks match by path, or as another name of the same file. Files of other nodes match only if
    // both nodes see the very same file.
    [[nodiscard]] bool isChosen(const FileEntry &entry) const
    {
        const auto ours = [&](const ChosenFile *file) {
            return file->path == entry.path || sameFile(file->stat, entry.stat);
        };
        return std::any_of(m_own.begin(), m_own.end(), ours) ||
               std::any_of(m_question.chosen.begin(), m_question.chosen.end(), [&](const ChosenFile &file) {
                   return file.path == entry.path && sameFile(file.stat, entry.stat);
               });
    }

    // True if the entry may be the chosen file of another node, on a disk that both nodes see. Then it is left in place
    // and reported.
    bool mayBeAnothersChosen(const FileEntry &entry)
    {
        const bool may = std::any_of(m_question.chosen.begin(), m_question.chosen.end(), [&](const ChosenFile &file) {
            return file.path == entry.path && (file.stat.inode == 0 || entry.stat.inode == 0);
        });
        if (may) m_into.unknown.push_back({m_node.name, entry.path, "cannot tell whether it is the chosen file"});
        return may;
    }

    void backUp(const FileEntry &entry, Seen &moved)
    {
        const auto [before, isNew] = moved.emplace(entry.path, entry.stat);
        if (!isNew && sameFile(before->second, entry.stat)) return;
        m_into.aside[m_node.name].push_back(
            {.action = FileAction::move, .path = entry.path, .target = entry.path + ".moved-" + m_question.id});
    }

    std::string copy(bool makeFolder)
    {
        if (m_own.empty()) return {};
        auto &steps = m_into.copies[m_node.name];
        if (makeFolder) steps.push_back({.action = FileAction::makeDirectory, .path = m_folder});
        const std::string path = joinPath(m_folder, baseName(m_own.front()->path));
        steps.push_back({.action = FileAction::copyFile, .path = path, .target = m_own.front()->path});
        return path;
    }

    RankFolders &m_into;
    const std::string &m_folder;
    const NodeSpec &m_node;
    const FolderQuestion &m_question;
    std::vector<const ChosenFile *> m_own;
};

}  // namespace

std::string firstFolderOf(const std::string &script)
{
    const std::string text = squeezedPython(script);
    if (!contains(text, "load_checkpoint(") || !contains(text, "glob(")) return {};
    if (!contains(text, "getmtime") && !contains(text, "getctime")) return {};
    for (const std::string_view word : {"\"ckpt_0\"", "'ckpt_0'"})
        if (contains(text, word)) return "ckpt_0";
    return {};
}

RankFolders readFirstFolder(ActionContext &host, const Job &job, const FolderQuestion &question, PathStats &book,
                            SteadyTime deadline)
{
    RankFolders found;
    std::string name;
    for (const auto &[node, script] : question.scripts)
        if (name.empty()) name = firstFolderOf(script);
    if (name.empty() || question.told) return found;
    std::vector<FolderPlace> places = folderPlaces(job, question, name);
    if (places.empty()) return found;
    found.newestOf = places.front().folder;
    for (FolderPlace &place : places) {
        NodeClient *node = host.node(place.node->name);
        place.reply = node ? node->list({.root = place.folder, .depth = 1, .maxEntries = mostFiles}) : Reply<Listing>();
    }
    Seen moved;
    for (FolderPlace &place : places) {
        const std::string &node = place.node->name;
        const auto listing = waitFor(place.reply, deadline, node);
        const bool missing = listing && contains(listing->error, "No such file");
        if (!listing || listing->truncated || (!missing && !listing->error.empty())) {
            found.unknown.push_back({node, place.folder,
                                     !listing             ? listing.error().message
                                     : listing->truncated ? "too many entries"
                                                          : listing->error});
            continue;
        }
        for (const FileEntry &entry : listing->entries) book.want(node, entry.path);
        FirstFolder(found, place, question).decide(*listing, missing, moved);
    }
    book.read(host, deadline);
    if (job.pathsShared && !found.loaded.empty())
        for (const NodeSpec *spec : nodesByRank(job))
            for (const int rank : spec->ranks) found.loaded.emplace(rank, found.loaded.begin()->second);
    return found;
}

}  // namespace rankdeck
