// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/listing_tree.h"

#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace rankdeck {
namespace {

// Removes "." and ".." without using the file system; the path is absolute.
std::string lexical(const std::string &path)
{
    std::vector<std::string> parts;
    for (const std::string &part : split(path, '/')) {
        if (part.empty() || part == ".") continue;
        if (part == "..") {
            if (!parts.empty()) parts.pop_back();
        } else {
            parts.push_back(part);
        }
    }
    std::string clean;
    for (const std::string &part : parts) clean += "/" + part;
    return clean.empty() ? "/" : clean;
}

bool byPath(const FileEntry *a, const FileEntry *b) { return a->path < b->path; }

bool before(const FileEntry *a, const std::string &path) { return a->path < path; }

}  // namespace

bool leavesRoot(const FileEntry &entry, const std::string &root)
{
    if (entry.linkTarget.empty()) return false;
    const std::string target =
        entry.linkTarget.front() == '/' ? entry.linkTarget : joinPath(dirName(entry.path), entry.linkTarget);
    const std::string inside = lexical(root), at = lexical(target);
    return at != inside && at.compare(0, inside.size() + 1, inside == "/" ? "/" : inside + "/") != 0;
}

std::string_view pathBelow(std::string_view path, std::string_view directory)
{
    if (path.substr(0, directory.size()) != directory) return path;
    path.remove_prefix(directory.size());
    while (!path.empty() && path.front() == '/') path.remove_prefix(1);
    return path;
}

std::optional<int> ListingTree::rankOfFolder(const std::string &directory) const
{
    const auto found = m_rankFolders.find(directory);
    return found == m_rankFolders.end() ? std::nullopt : std::optional(found->second.rank);
}

std::string ListingTree::withoutRank(const std::string &directory) const
{
    const auto found = m_rankFolders.find(directory);
    if (found == m_rankFolders.end()) return directory;
    return found->second.rest.empty() ? std::string() : joinPath(dirName(directory), found->second.rest);
}

ListingTree::ListingTree(const Listing &listing, std::map<std::string, RankFolder> rankFolders)
    : m_listing(listing), m_rankFolders(std::move(rankFolders))
{
    for (const FileEntry &entry : listing.entries) {
        m_all.push_back(&entry);
        if (entry.stat.kind == 'l' || (entry.stat.kind == 'f' && leavesRoot(entry, listing.root)))
            m_leftOut.push_back(&entry);
        else if (entry.stat.kind == 'f')
            m_files.push_back(&entry);
    }
    for (auto *entries : {&m_all, &m_files})  // usually a node's listing is already sorted
        if (!std::is_sorted(entries->begin(), entries->end(), byPath))
            std::sort(entries->begin(), entries->end(), byPath);
    std::vector<const FileEntry *> *own = nullptr;
    std::string last;
    for (const FileEntry *file : m_files) {
        std::string directory = dirName(file->path);
        if (!own || directory != last) own = &m_directories[directory];
        last = std::move(directory);
        own->push_back(file);
    }
}

std::vector<FileEntry> ListingTree::below(const std::string &directory) const
{
    const std::string start = directory == "/" ? directory : directory + "/";
    std::vector<FileEntry> files;
    for (auto at = std::lower_bound(m_files.begin(), m_files.end(), start, before);
         at != m_files.end() && (*at)->path.compare(0, start.size(), start) == 0; ++at)
        files.push_back(**at);
    return files;
}

const FileEntry *ListingTree::find(const std::string &path) const
{
    const auto at = std::lower_bound(m_all.begin(), m_all.end(), path, before);
    return at != m_all.end() && (*at)->path == path ? *at : nullptr;
}

}  // namespace rankdeck
