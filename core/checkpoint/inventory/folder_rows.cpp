// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/folder_rows.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/formats/tensorflow/tf_names.h"
#include "core/checkpoint/inventory/folder_grids.h"
#include "core/checkpoint/inventory/rank_locator.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

namespace rankdeck {
namespace {

struct Folder {
    std::string path;                  // path of the component with the number
    std::string form = {};             // path below the root with the number as '@' and all others as '#'
    std::set<std::string> files = {};  // names in it, as they are and without the number
    bool numberedFiles = false;        // some of them contain their own epoch or step
    bool means = false;                // part of the path means a rank, or two numbers are equal: 3/ckpt_3
    std::int64_t oldestNs = std::numeric_limits<std::int64_t>::max(), newestNs = 0;  // times of its files
};
using Row = std::map<int, std::vector<Folder>>;  // number → its folders, one for each place below it

struct Component {
    std::string word;  // rank_2_ckpt: "rank_#_ckpt"
    std::optional<int> number = {};
};

bool meansRank(std::string_view word) { return countsRanks(word.substr(0, word.find('#'))); }

Component componentOf(std::string_view name)
{
    constexpr const char *digit = "0123456789";
    const std::size_t end = name.find_last_of(digit) + 1, begin = name.substr(0, end).find_last_not_of(digit) + 1;
    const auto number = decimal(name.substr(begin, end - begin));
    const std::string word(name.substr(0, begin));
    if (!number || *number > 1000000) return {std::string(name), {}};
    if (end == name.size()) return {word, static_cast<int>(*number)};
    // A number within a name counts only if its letters mean a rank and the name has no other number.
    if (!meansRank(word) || word.find_first_of(digit) != std::string::npos) return {std::string(name), {}};
    return {word + "#" + std::string(name.substr(end)), static_cast<int>(*number)};
}

// The name of a file that belongs to one rank. Files that all ranks load say nothing about folders.
std::optional<ParsedName> fileOfOneRank(const std::string &base)
{
    const auto tensorflow = parseTfFileName(base).role;
    if (tensorflow == TfFileName::Role::index || tensorflow == TfFileName::Role::data ||
        (tensorflow == TfFileName::Role::single && parseTfFileName(base).plain)) {
        ParsedName name;
        name.globalStep = 0;  // its prefix ends in the step
        return name;
    }
    auto name = parseCheckpointName(base, {});
    if (!name && base.ends_with(".safetensors")) return ParsedName{};  // weights; the folder has the number of the save
    return name && name->sharedByRanks ? std::nullopt : name;
}

// "pangu#-1_5.ckpt" for "pangu3-1_5.ckpt" and 3. Only a complete number is replaced, not a digit of another one.
std::string withoutNumber(const std::string &base, int number)
{
    std::string out;
    for (std::size_t at = 0; at < base.size();) {
        std::size_t end = at;
        while (end < base.size() && base[end] >= '0' && base[end] <= '9') ++end;
        const std::string own = base.substr(at, std::max<std::size_t>(end - at, 1));
        out += end > at && decimal(own) == number ? "#" : own;
        at += own.size();
    }
    return out;
}

// unequal: path forms that also occur with two different numbers (2/gpu1). Then the numbers of 1/gpu1 are not two names
// of one rank.
void add(std::map<std::string, Row> &rows, std::set<std::string> &unequal, const std::string &root,
         const FileEntry &file, const ParsedName &name)
{
    const std::string &path = file.path;
    const std::string folder = dirName(path);
    std::vector<std::string> parts = split(std::string_view(folder).substr(root.size() + 1), '/');
    if (parts.size() > deepestFolder) return;
    std::set<int> numbers;
    std::string form = root;
    for (const std::string &part : parts) {
        if (parseRankFolder(part)) return;  // it contains a rank itself
        const Component own = componentOf(part);
        const bool counts = own.number && !countsSomethingElse(own.word);
        if (counts) numbers.insert(*own.number);
        form += "/" + (counts ? own.word + "#" : part);
    }
    if (numbers.size() > 1) unequal.insert(form);
    for (const int number : numbers) {
        std::string key = root, at = root, formOfRow, deepest;
        int times = 0;
        bool means = false;
        for (const std::string &part : parts) {
            const Component own = componentOf(part);
            const bool turned = own.number == number && !countsSomethingElse(own.word);
            at += "/" + part;
            key += "/" + (turned ? own.word + "#" : part);
            formOfRow += "/" + (turned ? withoutNumbers(own.word) + "@" : withoutNumbers(part));
            if (!turned) continue;
            deepest = at;
            means = means || meansRank(own.word) || ++times > 1;
        }
        std::vector<Folder> &folders = rows[key][number];
        if (folders.empty()) folders.push_back({deepest, formOfRow});
        folders.front().means = means;
        folders.front().oldestNs = std::min(folders.front().oldestNs, file.stat.mtimeNs);
        folders.front().newestNs = std::max(folders.front().newestNs, file.stat.mtimeNs);
        folders.front().files.insert({baseName(path), withoutNumber(baseName(path), number)});
        folders.front().numberedFiles =
            folders.front().numberedFiles || name.epoch.has_value() || name.globalStep.has_value();
    }
}

// True if the folders of a row contain the same files, or at least most of them.
bool isAlike(const Row &row)
{
    std::map<std::string, int> times;
    for (const auto &[number, folders] : row)
        for (const std::string &file : folders.front().files) ++times[file];
    return std::any_of(times.begin(), times.end(),
                       [&](const auto &t) { return 2 * std::size_t(t.second) > row.size(); });
}

// True if the folders were written one after the other, in the order of their numbers. Then the numbers count saves,
// because ranks save at the same time.
bool followInTime(const Row &row)
{
    for (auto at = row.begin(), next = std::next(at); next != row.end(); ++at, ++next)
        if (next->second.front().oldestNs < at->second.front().newestNs + threshold::generations) return false;
    return row.size() > 1;
}

// worker_1 to worker_4 without worker_0: either the names count from 1, or the first folder is gone. Names that say
// "rank" count from 0.
bool countsFromOne(const std::set<int> &numbers, std::string_view word)
{
    return numbers.size() > 1 && *numbers.begin() == 1 && std::size_t(*numbers.rbegin()) == numbers.size() &&
           !withoutJoints(word).ends_with("rank");
}

// Folders of ranks in all saves: the numbers of all rows of one form.
struct RankedForm {
    std::string word;
    std::set<int> numbers = {};
    std::size_t rows = 0;
    bool guess = false;
    [[nodiscard]] int zero() const { return countsFromOne(numbers, word) ? 1 : 0; }
    [[nodiscard]] FolderRank rank(int number) const { return {number - zero(), guess || zero() != 0}; }
};

// In a broken save, some folders are missing, so its own row may show no ranks: step_300 has only 1 and 2. A number that
// no other save has is a rank only if the letters beside it mean one.
void takeBrokenSaves(const std::map<std::string, Row> &rows, const std::map<std::string, RankedForm> &ranked,
                     std::map<std::string, FolderRank> &out)
{
    std::map<std::string, std::size_t> all;
    for (const auto &[key, row] : rows) ++all[row.begin()->second.front().form];
    for (const auto &[key, row] : rows) {
        const Folder &first = row.begin()->second.front();
        const auto form = ranked.find(first.form);
        if (form == ranked.end() || 2 * form->second.rows < all[first.form]) continue;
        for (const auto &[number, folders] : row)
            if (form->second.numbers.contains(number) || first.means)
                out.try_emplace(folders.front().path, form->second.rank(number));
    }
}

// Number of sibling folders with the same letters, whatever they contain: "/job/gpu_".
std::map<std::string, int> foldersByWord(const Listing &listing)
{
    std::map<std::string, int> out;
    for (const FileEntry &entry : listing.entries) {
        const Component own = componentOf(std::string_view(entry.path).substr(entry.path.rfind('/') + 1));
        if (entry.stat.kind == 'd' && own.number) ++out[joinPath(dirName(entry.path), own.word)];
    }
    return out;
}

}  // namespace

bool mayBeOfANode(std::string_view folder)
{
    const std::string_view word = folder.substr(0, folder.find_first_of("0123456789"));
    return !withoutJoints(word).empty() && !countsSomethingElse(word) && !parseRankFolder(folder);
}

std::map<std::string, FolderRank> findFolderRanks(const Listing &listing)
{
    std::map<std::string, Row> rows;
    std::set<std::string> unequal;
    FolderGrids grids;
    for (const FileEntry &entry : listing.entries) {
        if (entry.stat.kind != 'f' || entry.path.size() <= listing.root.size() + 1 ||
            dirName(entry.path).size() <= listing.root.size())
            continue;
        const auto name = fileOfOneRank(baseName(entry.path));
        if (!name) continue;
        add(rows, unequal, listing.root, entry, *name);
        grids.add(listing.root, entry.path);
    }
    std::erase_if(rows, [&](const auto &row) { return unequal.count(row.first) != 0; });
    std::map<std::string, FolderRank> out;
    grids.take(out);
    const std::map<std::string, int> beside = foldersByWord(listing);
    std::map<std::string, std::set<std::string>> words;  // dp0_mp and dp1_mp: the letters contain a part of the rank
    for (const auto &[key, row] : rows) {
        const std::string &first = row.begin()->second.front().path;
        const std::string word = componentOf(baseName(first)).word;
        words[joinPath(dirName(first), withoutNumbers(word))].insert(word);
    }
    std::map<std::string, RankedForm> ranked;  // by the form of their rows
    std::vector<const Row *> rowsOfRanks;
    for (const auto &[key, row] : rows) {
        const Folder &any = row.begin()->second.front();
        const Component word = componentOf(baseName(any.path));
        const bool means = meansRank(word.word) || any.means;
        const auto alike = beside.find(joinPath(dirName(any.path), word.word));
        const bool othersAreEmpty = means && alike != beside.end() && alike->second > 1;
        if ((row.size() < 2 && !othersAreEmpty) || !isAlike(row)) continue;
        const bool dense = row.begin()->first == 0 && std::size_t(row.rbegin()->first) < 4 * row.size();
        // "ckpt_100", "ckpt_200" count steps.
        if (!means && (!dense || followInTime(row))) continue;
        const bool half = words[joinPath(dirName(any.path), withoutNumbers(word.word))].size() > 1;
        RankedForm &form = ranked.try_emplace(any.form, RankedForm{word.word}).first->second;
        for (const auto &[number, folders] : row) form.numbers.insert(number);
        form.guess = form.guess || half || (!means && !any.numberedFiles);
        ++form.rows;
        rowsOfRanks.push_back(&row);
    }
    std::map<std::string, FolderRank> numberedBy;  // "/job/device_": the number of rank 0, and whether it is a guess
    for (const Row *row : rowsOfRanks)
        for (const auto &[number, folders] : *row) {
            const RankedForm &form = ranked.at(folders.front().form);
            out.try_emplace(folders.front().path, form.rank(number));
            numberedBy.emplace(joinPath(dirName(folders.front().path), form.word),
                               FolderRank{form.zero(), form.rank(number).guess});
        }
    takeBrokenSaves(rows, ranked, out);
    // A rank whose folder exists but is empty is a rank without files.
    for (const FileEntry &entry : listing.entries) {
        if (entry.stat.kind != 'd') continue;
        const Component own = componentOf(std::string_view(entry.path).substr(entry.path.rfind('/') + 1));
        const auto row = own.number ? numberedBy.find(joinPath(dirName(entry.path), own.word)) : numberedBy.end();
        if (row != numberedBy.end() && *own.number >= row->second.rank)
            out.try_emplace(entry.path, FolderRank{*own.number - row->second.rank, row->second.guess});
    }
    return out;
}

}  // namespace rankdeck
