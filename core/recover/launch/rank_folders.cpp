// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/rank_folders.h"

#include "core/base/text.h"
#include "core/node/wait_for.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/host/job_places.h"
#include "core/recover/launch/recipe.h"

#include <algorithm>
#include <string_view>

namespace rankdeck {

namespace {

constexpr std::uint32_t mostEntries = 20000;

// The string literal that begins there ("f" and "r" before its quote are skipped); nullopt: none.
std::optional<std::string_view> literalAt(std::string_view text, std::size_t at)
{
    while (at < text.size() && (text[at] == 'f' || text[at] == 'r')) ++at;
    if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return {};
    const std::size_t end = text.find(text[at], at + 1);
    if (end == std::string_view::npos) return {};
    return text.substr(at + 1, end - at - 1);
}

bool isTorchFile(std::string_view name)
{
    return name.ends_with(".pth.tar") || name.ends_with(".pth") || name.ends_with(".pt");
}

// os.path.join(folder, "model_best.pth.tar")
std::string joinedFile(std::string_view text)
{
    for (std::size_t at = text.find("join("); at != std::string_view::npos; at = text.find("join(", at + 1)) {
        const std::size_t comma = text.find(',', at);
        const auto name = comma == std::string_view::npos ? std::nullopt : literalAt(text, comma + 1);
        if (name && isTorchFile(*name) && !contains(*name, "{") && !contains(*name, "/")) return std::string(*name);
    }
    return {};
}

struct Place {  // one working directory
    const NodeSpec *node = nullptr;
    std::string directory = {};
    std::vector<int> ranks = {};
    std::vector<FileEntry> folders = {};
};

std::vector<Place> placesOf(const Job &job)
{
    std::vector<Place> places;
    for (const NodeSpec *node : nodesByRank(job)) {
        const std::string directory = workdirOn(job, *node);
        const auto same = std::find_if(places.begin(), places.end(), [&](const Place &place) {
            return job.pathsShared && place.directory == directory;
        });
        Place &place = same != places.end() ? *same : places.emplace_back(Place{.node = node, .directory = directory});
        place.ranks.insert(place.ranks.end(), node->ranks.begin(), node->ranks.end());
    }
    return places;
}

bool says(const std::vector<std::string> &command, std::string_view option)
{
    return std::any_of(command.begin(), command.end(),
                       [&](const std::string &word) { return word.starts_with(option); });
}

class Reader {
public:
    Reader(RankFolders &into, const Job &job, const FolderQuestion &question, PathStats &book)
        : m_into(into), m_question(question), m_book(book), m_places(placesOf(job))
    {}

    void list(ActionContext &host, SteadyTime deadline)
    {
        std::vector<Reply<Listing>> replies;
        for (const Place &place : m_places) {
            NodeClient *node = host.node(place.node->name);
            replies.push_back(node ? node->list({.root = place.directory, .depth = 1, .maxEntries = mostEntries})
                                   : Reply<Listing>());
        }
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            Place &place = m_places[i];
            const auto listing = waitFor(replies[i], deadline, place.node->name);
            if (!listing || !listing->error.empty() || listing->truncated)
                m_into.unknown.push_back({place.node->name, place.directory,
                                          !listing                  ? listing.error().message
                                          : !listing->error.empty() ? listing->error
                                                                    : "too many entries"});
            if (!listing) continue;
            for (const FileEntry &entry : listing->entries)
                if (baseName(entry.path).starts_with(m_into.glob->folders) && entry.stat.kind != 'f') {
                    place.folders.push_back(entry);
                    m_book.want(place.node->name, joinPath(entry.path, m_into.glob->file));
                }
        }
        m_book.read(host, deadline);
    }

    void decide()
    {
        for (const Place &place : m_places) decide(place);
    }

private:
    // Files of these ranks' members after the plan.
    std::vector<const ChosenFile *> membersOf(const Place &place) const
    {
        std::vector<const ChosenFile *> members;
        for (const ChosenFile &file : m_question.chosen)
            if (std::find(place.ranks.begin(), place.ranks.end(), file.rank) != place.ranks.end())
                members.push_back(&file);
        return members;
    }

    void decide(const Place &place)
    {
        const std::string &node = place.node->name;
        const auto members = membersOf(place);
        std::vector<std::string> own;
        for (const FileEntry &folder : place.folders) {
            const std::string path = joinPath(folder.path, m_into.glob->file);
            const auto stat = m_book.stat(node, path);
            if (!stat) {
                if (m_book.exists(node, path).isUnknown())
                    m_into.unknown.push_back({node, folder.path, m_book.problem(node, path)});
                continue;
            }
            if (isChosen(place, path, *stat))
                own.push_back(path);
            else if (const auto [before, isNew] = m_moved.emplace(path, *stat);
                     isNew || !sameFile(before->second, *stat))
                backUp(node, path);  // two nodes may see one disk
        }
        for (const ChosenFile *file : members)  // files that the plan copies from another node
            if (isInGlob(place, file->path) && std::find(own.begin(), own.end(), file->path) == own.end())
                own.push_back(file->path);
        if (own.empty() && !members.empty()) own.push_back(copyInto(place, *members.front()));
        for (const int rank : place.ranks) m_into.loaded[rank] = own;
    }

    // Files of this node's ranks match by path, or as another name of the same file (a folder may be a link). Files of
    // other ranks match only if this node sees the very same file, on a shared disk.
    [[nodiscard]] bool isChosen(const Place &place, const std::string &path, const FileStat &stat) const
    {
        return std::any_of(m_question.chosen.begin(), m_question.chosen.end(), [&](const ChosenFile &file) {
            const bool ours = std::find(place.ranks.begin(), place.ranks.end(), file.rank) != place.ranks.end();
            return sameFile(file.stat, stat) ? ours || file.path == path : ours && file.path == path;
        });
    }

    [[nodiscard]] bool isInGlob(const Place &place, const std::string &path) const
    {
        const std::string folder = dirName(path);
        return baseName(path) == m_into.glob->file && dirName(folder) == place.directory &&
               baseName(folder).starts_with(m_into.glob->folders);
    }

    void backUp(const std::string &node, const std::string &path)
    {
        m_into.aside[node].push_back(
            {.action = FileAction::move, .path = path, .target = path + ".moved-" + m_question.id});
    }

    std::string copyInto(const Place &place, const ChosenFile &member)
    {
        const std::string &folders = m_into.glob->folders;
        const std::string name = folders + (folders.ends_with('_') ? "" : "_") + std::to_string(member.rank);
        const std::string folder = joinPath(place.directory, name), path = joinPath(folder, m_into.glob->file);
        auto &steps = m_into.copies[place.node->name];
        const bool isThere = std::any_of(place.folders.begin(), place.folders.end(),
                                         [&](const FileEntry &entry) { return entry.path == folder; });
        if (!isThere) steps.push_back({.action = FileAction::makeDirectory, .path = folder});
        steps.push_back({.action = FileAction::copyFile, .path = path, .target = member.path});
        return path;
    }

    RankFolders &m_into;
    const FolderQuestion &m_question;
    PathStats &m_book;
    std::vector<Place> m_places;
    std::map<std::string, FileStat> m_moved;
};

}  // namespace

std::optional<FolderGlob> folderGlobOf(const std::string &script)
{
    const std::string text = squeezedPython(script);
    if (!contains(text, ".load(")) return {};
    for (std::size_t at = text.find("glob("); at != std::string::npos; at = text.find("glob(", at + 1)) {
        auto pattern = literalAt(text, at + 5);
        if (!pattern) continue;
        if (pattern->starts_with("./")) pattern->remove_prefix(2);
        const std::size_t star = pattern->find('*');
        if (star == std::string_view::npos || contains(pattern->substr(0, star), "/") || contains(*pattern, "{"))
            continue;
        const std::string_view rest = pattern->substr(star + 1);
        FolderGlob glob{.folders = std::string(pattern->substr(0, star))};
        if (rest.starts_with("/") && isTorchFile(rest) && !contains(rest.substr(1), "/") && !contains(rest, "*"))
            glob.file = rest.substr(1);
        else if (rest.empty())
            glob.file = joinedFile(text);
        if (!glob.file.empty() && !glob.folders.empty()) return glob;
    }
    return {};
}

RankFolders readRankFolders(ActionContext &host, const Job &job, const FolderQuestion &question, PathStats &book,
                            SteadyTime deadline)
{
    RankFolders found;
    for (const auto &[node, script] : question.scripts) {
        if (!found.glob) found.glob = folderGlobOf(script);
        if (found.glob) found.switchedOff = contains(script, "args.resume") && !says(job.launch.command, "--resume");
    }
    if (!found.glob && question.switchedOn && question.scripts.empty() && !question.chosen.empty()) {
        found.assumed = true;
        found.glob = FolderGlob{.folders = "rank", .file = baseName(question.chosen.front().path)};
    }
    if (!found.glob) return found;
    for (const NodeSpec *node : nodesByRank(job))
        if (found.directory.empty()) found.directory = workdirOn(job, *node);
    if (found.directory.empty()) {
        found.unknown.push_back({job.nodes.front().name, "the working directory", "launch.workdir is not set"});
        return found;
    }
    Reader reader(found, job, question, book);
    reader.list(host, deadline);
    if (found.unknown.empty()) reader.decide();
    return found;
}

}  // namespace rankdeck
