// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/folders/folder_numbers.h"

#include "core/base/text.h"
#include "core/checkpoint/name_words.h"

#include <algorithm>

namespace rankdeck {
namespace {

bool isJoint(char c) { return std::string_view("_-=.").find(c) != std::string_view::npos; }

bool endsInOneOf(std::string_view word, std::initializer_list<std::string_view> ends)
{
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return word.ends_with(end); });
}

// Words of parts of one save, which may also be those of successive stages of the training.
bool countsParts(std::string_view word) { return endsInOneOf(word, {"stage", "part", "model"}); }

bool namesASave(std::string_view word)
{
    return countsSaves(word) || endsInOneOf(word, {"checkpoint", "ckpt", "save"});
}

std::string_view wordBetween(std::string_view name, std::size_t begin, std::size_t end)
{
    std::string_view word = withoutJoints(name.substr(begin, end - begin));
    while (!word.empty() && isJoint(word.front())) word.remove_prefix(1);
    return word;
}

// Numbers of a path. A part of one save has a folder inside that of the save: step_100/stage0.
std::vector<FolderNumber> numbersOf(const std::vector<std::string> &parts)
{
    std::vector<FolderNumber> numbers;
    bool insideSave = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::vector<FolderNumber> own = numbersOfFolder(parts[i], i, insideSave);
        numbers.insert(numbers.end(), own.begin(), own.end());
        std::size_t before = 0;
        for (const std::string_view digits : numbersIn(parts[i])) {
            const auto begin = std::size_t(digits.data() - parts[i].data());
            insideSave = insideSave || namesASave(wordBetween(parts[i], before, begin));
            before = begin + digits.size();
        }
    }
    return numbers;
}

std::string formOf(const CheckpointFolder &folder)
{
    std::string form;
    for (std::size_t i = 0; i < folder.parts.size(); ++i) {
        std::string name = folder.parts[i];
        for (auto number = folder.numbers.rbegin(); number != folder.numbers.rend(); ++number)
            if (number->part == i) name.replace(number->begin, number->end - number->begin, "#");
        form += "/" + name;
    }
    return form;
}

// Numbers that were equal in all folders so far, and are equal in this one.
std::vector<std::size_t> stillTwins(const std::vector<std::size_t> &twins, const std::vector<FolderNumber> &numbers)
{
    std::vector<std::size_t> out(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        out[i] = i;
        for (std::size_t k = 0; k < i && out[i] == i; ++k)
            if (numbers[i].value == numbers[k].value && twins[i] == twins[k]) out[i] = out[k];
    }
    return out;
}

}  // namespace

bool countsSomethingElse(std::string_view word)
{
    word = withoutJoints(word);
    while (!word.empty() && isJoint(word.front())) word.remove_prefix(1);
    return countsRuns(word) || countsParts(word) ||
           endsInOneOf(word, {"step",  "steps", "iter", "iteration", "epoch",   "checkpoint", "batch", "run",
                              "exp",   "trial", "seed", "fold",      "attempt", "job",        "try",   "version",
                              "round", "save",  "lr",   "task",      "phase",   "experiment"}) ||
           word == "e" || word == "s";
}

std::optional<int> parseRankFolder(std::string_view name)
{
    if (!takeStart(name, "rank_") && !takeStart(name, "rank")) return std::nullopt;
    const auto rank = decimal(name);
    if (!rank || *rank > 1000000) return std::nullopt;
    return static_cast<int>(*rank);
}

std::vector<FolderNumber> numbersOfFolder(const std::string &name, std::size_t part, bool insideSave)
{
    std::vector<FolderNumber> numbers;
    std::size_t before = 0;
    for (const std::string_view digits : numbersIn(name)) {
        const auto begin = std::size_t(digits.data() - name.data());
        const std::string_view word = wordBetween(name, before, begin);
        const auto value = decimal(digits);
        const bool isPart = countsParts(word);
        if (value && *value <= 1000000 && (isPart || !countsSomethingElse(word)))
            numbers.push_back({part, begin, begin + digits.size(), static_cast<int>(*value), std::string(word),
                               isPart && !insideSave});
        insideSave = insideSave || namesASave(word);
        before = begin + digits.size();
    }
    return numbers;
}

std::string shapeOf(const std::string &name, const FolderNumber &number)
{
    return name.substr(0, number.begin) + "#" + name.substr(number.end);
}

std::string restOf(const std::string &name, const std::vector<FolderNumber> &numbers)
{
    std::string rest = name;
    for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
        std::size_t begin = number->begin;
        while (begin > 0 && isJoint(rest[begin - 1])) --begin;
        if (rest.compare(begin - std::min(begin, number->word.size()), number->word.size(), number->word) == 0)
            begin -= std::min(begin, number->word.size());
        rest.erase(begin, number->end - begin);
    }
    const std::size_t first = std::min(rest.find_first_not_of("_-=."), rest.size());
    rest = std::string(withoutJoints(std::string_view(rest).substr(first)));
    return numbersIn(rest).empty() ? std::string() : rest;
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
        folder.numbers = numbersOf(folder.parts);
        const auto own = twins.try_emplace(formOf(folder), folder.numbers.size(), 0).first;
        own->second = stillTwins(own->second, folder.numbers);
        out.push_back(std::move(folder));
    }
    for (CheckpointFolder &folder : out) folder.twins = twins.at(formOf(folder));
    return out;
}

}  // namespace rankdeck
