// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/folders/folder_numbers.h"

#include "core/base/text.h"
#include "core/checkpoint/name_words.h"

#include <algorithm>

namespace rankdeck {
namespace {

// Words of parts of one save, which may also be those of successive stages of the training.
bool endsInOneOf(std::string_view word, std::initializer_list<std::string_view> ends)
{
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return word.ends_with(end); });
}

bool countsParts(std::string_view word) { return endsInOneOf(withoutJoints(word), {"stage", "part", "model"}); }

bool namesASave(const FolderName &folder)
{
    const std::string_view word = withoutJoints(folder.word);
    return folder.number && (countsSaves(word) || endsInOneOf(word, {"checkpoint", "ckpt", "save"}));
}

// The names of the folders. The number of a step, an epoch or a run is left out. A part of one save has a folder inside
// that of the save: step_100/stage0.
std::vector<FolderName> namesOf(const std::vector<std::string> &parts)
{
    std::vector<FolderName> names;
    bool insideSave = false;
    for (const std::string &part : parts) {
        FolderName own = folderNameOf(part);
        const bool save = namesASave(own);
        const bool isPart = countsParts(own.word);
        if (own.number && countsSomethingElse(own.word) && !isPart) own = {part, {}};
        own.needsTimes = own.number && isPart && !insideSave;
        insideSave = insideSave || save;
        names.push_back(std::move(own));
    }
    return names;
}

std::string formOf(const CheckpointFolder &folder)
{
    std::string form;
    for (std::size_t i = 0; i < folder.parts.size(); ++i)
        form += "/" + (folder.names[i].number ? folder.names[i].word + "#" : folder.parts[i]);
    return form;
}

// Parts that had the same number in all folders so far, and have it in this one.
std::vector<std::size_t> stillTwins(const std::vector<std::size_t> &twins, const std::vector<FolderName> &names)
{
    std::vector<std::size_t> out(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        out[i] = i;
        for (std::size_t k = 0; k < i && out[i] == i; ++k)
            if (names[i].number && names[i].number == names[k].number && twins[i] == twins[k]) out[i] = out[k];
    }
    return out;
}

}  // namespace

std::optional<int> parseRankFolder(std::string_view name)
{
    if (!takeStart(name, "rank_") && !takeStart(name, "rank")) return std::nullopt;
    const auto rank = decimal(name);
    if (!rank || *rank > 1000000) return std::nullopt;
    return static_cast<int>(*rank);
}

bool meansRank(std::string_view word) { return countsRanks(word.substr(0, word.find('#'))); }

bool countsSomethingElse(std::string_view word)
{
    word = withoutJoints(word.substr(0, word.find('#')));
    return countsRuns(word) || countsParts(word) ||
           endsInOneOf(word, {"step",  "steps", "iter", "iteration", "epoch",   "checkpoint", "batch", "run",
                              "exp",   "trial", "seed", "fold",      "attempt", "job",        "try",   "version",
                              "round", "save",  "lr",   "task",      "phase",   "experiment"}) ||
           word == "e" || word == "s";
}

FolderName folderNameOf(std::string_view name)
{
    constexpr const char *digit = "0123456789";
    const std::size_t end = name.find_last_of(digit) + 1, begin = name.substr(0, end).find_last_not_of(digit) + 1;
    const auto number = decimal(name.substr(begin, end - begin));
    const std::string word(name.substr(0, begin));
    if (!number || *number > 1000000) return {std::string(name)};
    if (end == name.size()) return {word, static_cast<int>(*number)};
    // A number within a name counts only if its letters mean a rank and the name has no other number.
    if (!meansRank(word) || word.find_first_of(digit) != std::string::npos) return {std::string(name)};
    return {word + "#" + std::string(name.substr(end)), static_cast<int>(*number)};
}

std::vector<CheckpointFolder> checkpointFolders(const std::string &root, const std::vector<CheckpointFile> &files)
{
    std::map<std::string, CheckpointFolder> folders;
    for (const CheckpointFile &file : files) {
        const std::string path = dirName(file.entry->path);
        if (path.size() <= root.size()) continue;
        const auto [at, isNew] = folders.try_emplace(path, CheckpointFolder{path});
        CheckpointFolder &folder = at->second;
        if (isNew) folder.parts = split(std::string_view(path).substr(root.size() + 1), '/');
        folder.files.emplace(baseName(file.entry->path), file.entry->stat.mtimeNs);
        folder.numberedFiles = folder.numberedFiles || file.isNumbered;
        if (file.rank) folder.ranks.insert(*file.rank);
    }
    std::vector<CheckpointFolder> out;
    std::map<std::string, std::vector<std::size_t>> twins;  // by form
    for (auto &[path, folder] : folders) {
        const bool inRank = std::any_of(folder.parts.begin(), folder.parts.end(),
                                        [](const std::string &part) { return parseRankFolder(part).has_value(); });
        if (inRank || folder.parts.size() > deepestFolder) continue;
        folder.names = namesOf(folder.parts);
        const auto own = twins.try_emplace(formOf(folder), folder.parts.size(), 0).first;
        own->second = stillTwins(own->second, folder.names);
        out.push_back(std::move(folder));
    }
    for (CheckpointFolder &folder : out) folder.twins = twins.at(formOf(folder));
    return out;
}

}  // namespace rankdeck
