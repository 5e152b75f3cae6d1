// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/folders/folder_rows.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/formats/tensorflow/tf_names.h"
#include "core/checkpoint/inventory/folders/folder_grids.h"
#include "core/checkpoint/inventory/folders/folder_numbers.h"
#include "core/checkpoint/inventory/folders/row_times.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/saved_name.h"

#include <algorithm>

namespace rankdeck {
namespace {

// The folders of a row whose number takes each value, in one place: gpu_#/step_100.
struct Row {
    std::string form = {};         // path below the root with the number as '@' and all others as '#'
    std::string shape = {};        // name of the deepest folder with the number as '#'
    std::string word = {};         // letters before that number
    std::vector<int> others = {};  // other numbers in that name that may be a part of the rank
    bool means = false;            // part of the path means a rank, or two numbers are equal: 3/ckpt_3
    bool needsTimes = false;       // only the times of the files show a rank
    bool numberedFiles = false;    // names of files contain their own epoch or step
    bool severalRanks = false;     // files of several ranks, by their names, are in one folder
    std::map<int, RowFolder> folders = {};
};
using Rows = std::map<std::string, Row>;  // by the path with the number as '#'

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

// Adds the folder to the row of one of its numbers, which may be in several of its names.
void addToRow(Rows &rows, const std::string &root, const CheckpointFolder &folder, std::size_t place)
{
    const int value = folder.numbers[place].value;
    std::string key = root, at = root, deepest;
    std::vector<std::string> above;
    Row row;
    std::string rest;
    for (std::size_t part = 0; part < folder.parts.size(); ++part) {
        std::vector<FolderNumber> turned;
        for (std::size_t i = 0; i < folder.numbers.size(); ++i)
            if (folder.numbers[i].part == part && folder.twins[i] == place) turned.push_back(folder.numbers[i]);
        std::string name = folder.parts[part], form = name;
        for (auto number = turned.rbegin(); number != turned.rend(); ++number) {
            name.replace(number->begin, number->end - number->begin, "#");
            form.replace(number->begin, number->end - number->begin, "@");
            row.means = row.means || countsRanks(number->word);
            row.needsTimes = row.needsTimes || number->needsTimes;
        }
        at += "/" + folder.parts[part];
        key += "/" + name;
        row.form += "/" + withoutNumbers(form);
        if (turned.empty()) continue;
        row.means = row.means || !deepest.empty();
        row.shape = shapeOf(folder.parts[part], turned.back());
        row.word = turned.back().word;
        if (!deepest.empty()) above.push_back(deepest);
        deepest = at;
        rest = restOf(folder.parts[part], turned);
        row.others.clear();
        for (std::size_t i = 0; i < folder.numbers.size(); ++i)
            if (folder.numbers[i].part == part && folder.twins[i] != place)
                row.others.push_back(folder.numbers[i].value);
    }
    Row &into = rows.try_emplace(key, std::move(row)).first->second;
    into.numberedFiles = into.numberedFiles || folder.numberedFiles;
    into.severalRanks = into.severalRanks || folder.ranks.size() > 1;
    RowFolder &own = into.folders.try_emplace(value, RowFolder{deepest, rest, above}).first->second;
    for (const auto &[file, time] : folder.files) {
        own.files.insert_or_assign(file, time);
        own.forms.insert_or_assign(withoutNumber(file, value), time);
    }
}

Rows rowsOf(const std::string &root, const std::vector<CheckpointFolder> &folders)
{
    Rows rows;
    for (const CheckpointFolder &folder : folders)
        for (std::size_t i = 0; i < folder.numbers.size(); ++i)
            if (folder.twins[i] == i) addToRow(rows, root, folder, i);
    return rows;
}

// True if the folders of a row contain the same files, or at least most of them.
bool isAlike(const Row &row)
{
    std::map<std::string, int> times;
    for (const auto &[number, folder] : row.folders) {
        for (const auto &[file, time] : folder.files) ++times[file];
        for (const auto &[form, time] : folder.forms)
            if (!folder.files.contains(form)) ++times[form];
    }
    return std::any_of(times.begin(), times.end(),
                       [&](const auto &t) { return 2 * std::size_t(t.second) > row.folders.size(); });
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
    bool guess = false, means = false;
    [[nodiscard]] int zero() const { return countsFromOne(numbers, word) ? 1 : 0; }
    [[nodiscard]] FolderRank rank(int number) const { return {number - zero(), guess || zero() != 0, means}; }
};
using RankedForms = std::map<std::string, RankedForm>;

void take(const RowFolder &folder, const FolderRank &rank, FolderRanks &out)
{
    const auto [own, isNew] = out.ranks.try_emplace(folder.path, rank);
    if (isNew) own->second.rest = folder.rest;
    out.twins.insert(folder.twins.begin(), folder.twins.end());
}

// In a broken save, some folders are missing, so its own row may show no ranks: step_300 has only 1 and 2. A number that
// no other save has is a rank only if the letters beside it mean one.
void takeBrokenSaves(const Rows &rows, const RankedForms &ranked, FolderRanks &out)
{
    std::map<std::string, std::size_t> all;
    for (const auto &[key, row] : rows) ++all[row.form];
    for (const auto &[key, row] : rows) {
        const auto form = ranked.find(row.form);
        if (form == ranked.end() || 2 * form->second.rows < all[row.form]) continue;
        for (const auto &[number, folder] : row.folders)
            if (form->second.numbers.contains(number) || row.means) take(folder, form->second.rank(number), out);
    }
}

// Number of sibling folders that differ only in a number, whatever they contain: "/job/gpu_#".
std::map<std::string, int> foldersByShape(const Listing &listing)
{
    std::map<std::string, int> out;
    for (const FileEntry &entry : listing.entries) {
        if (entry.stat.kind != 'd') continue;
        const std::string name = baseName(entry.path);
        for (const FolderNumber &number : numbersOfFolder(name))
            ++out[joinPath(dirName(entry.path), shapeOf(name, number))];
    }
    return out;
}

// Rows of which the folders are those of ranks.
class RankRows {
public:
    RankRows(const Listing &listing, const Rows &rows) : m_rows(rows), m_beside(foldersByShape(listing))
    {
        for (const auto &[key, row] : rows) {
            m_others[beside(row, withoutNumbers(row.shape))].insert(row.others);
            m_times[row.form].add(row.folders);
            if (row.severalRanks) m_groups.insert(row.form);
        }
    }
    // Rows of folders that each contain several ranks are groups of them.
    [[nodiscard]] RankedForms find(std::vector<const Row *> &found, std::map<std::string, RankGroup> &groups) const
    {
        RankedForms ranked;
        for (const auto &[key, row] : m_rows) {
            if (!areRanks(row)) continue;
            const bool areGroups = m_groups.contains(row.form);
            for (const auto &[number, folder] : row.folders)
                if (areGroups) groups.emplace(folder.path, RankGroup{number, row.shape, folder.rest});
            if (areGroups) continue;
            const bool half = isHalf(m_others.at(beside(row, withoutNumbers(row.shape))));
            const bool means = row.means;
            RankedForm &form = ranked.try_emplace(row.form, RankedForm{row.word}).first->second;
            for (const auto &[number, folder] : row.folders) form.numbers.insert(number);
            form.guess = form.guess || half || row.needsTimes ||
                         (!means && (!row.numberedFiles || m_times.at(row.form).areApart()));
            form.means = form.means || means;
            ++form.rows;
            found.push_back(&row);
        }
        return ranked;
    }

private:
    static std::string beside(const Row &row, const std::string &name)
    {
        return joinPath(dirName(row.folders.begin()->second.path), name);
    }
    // True for dp0_mp# and dp1_mp#: another number of the name also counts from 0. False for 100_mp# and 200_mp#.
    static bool isHalf(const std::set<std::vector<int>> &names)
    {
        std::set<int> others;
        for (const std::vector<int> &numbers : names) others.insert(numbers.begin(), numbers.end());
        return names.size() > 1 && *others.begin() <= 1 && std::size_t(*others.rbegin()) < 4 * others.size();
    }
    [[nodiscard]] bool areRanks(const Row &row) const
    {
        const auto alike = m_beside.find(beside(row, row.shape));
        const bool othersAreEmpty = row.means && alike != m_beside.end() && alike->second > 1;
        if ((row.folders.size() < 2 && !othersAreEmpty) || !isAlike(row)) return false;
        if (row.needsTimes && !m_times.at(row.form).areTogether()) return false;
        const bool dense =
            row.folders.begin()->first == 0 && std::size_t(row.folders.rbegin()->first) < 4 * row.folders.size();
        if (row.means) return true;
        // "ckpt_100", "ckpt_200" count steps.
        return dense && !followInTime(row.folders) && (row.word.empty() || !m_times.at(row.form).areApart());
    }
    const Rows &m_rows;
    std::map<std::string, int> m_beside;
    std::map<std::string, std::set<std::vector<int>>> m_others;  // Row::others by the name without all numbers
    std::map<std::string, RowTimes> m_times;                     // by form
    std::set<std::string> m_groups;                              // forms of folders that contain several ranks each
};

// A rank whose folder exists but is empty is a rank without files.
void takeEmptyFolders(const Listing &listing, const std::vector<const Row *> &rows, const RankedForms &ranked,
                      FolderRanks &out)
{
    std::map<std::string, FolderRank> numberedBy;  // "/job/device_": the number of rank 0, and whether it is a guess
    for (const Row *row : rows)
        for (const auto &[number, folder] : row->folders) {
            const RankedForm &form = ranked.at(row->form);
            numberedBy.emplace(joinPath(dirName(folder.path), row->shape),
                               FolderRank{form.zero(), form.rank(number).guess});
        }
    for (const FileEntry &entry : listing.entries) {
        if (entry.stat.kind != 'd') continue;
        const std::string name = baseName(entry.path);
        for (const FolderNumber &number : numbersOfFolder(name)) {
            const auto row = numberedBy.find(joinPath(dirName(entry.path), shapeOf(name, number)));
            if (row != numberedBy.end() && number.value >= row->second.rank)
                out.ranks.try_emplace(entry.path, FolderRank{number.value - row->second.rank, row->second.guess});
        }
    }
}

}  // namespace

std::optional<int> rankInName(const std::string &base)
{
    std::string stem = base.substr(0, base.rfind('.'));
    return takeRankWord(stem);
}

bool mayBeOfANode(std::string_view folder)
{
    const std::string_view word = folder.substr(0, folder.find_first_of("0123456789"));
    return !withoutJoints(word).empty() && !countsSomethingElse(word) && !parseRankFolder(folder);
}

FolderRanks findFolderRanks(const Listing &listing, const std::vector<const FileEntry *> &unnamed)
{
    std::vector<CheckpointFile> files;
    FolderGrids grids;
    const auto add = [&](const FileEntry &entry, bool isNumbered, std::optional<int> rank) {
        if (dirName(entry.path).size() <= listing.root.size()) return;
        files.push_back({&entry, isNumbered, rank});
        grids.add(listing.root, entry);
    };
    for (const FileEntry &entry : listing.entries)
        if (entry.stat.kind == 'f' && entry.path.size() > listing.root.size() + 1)
            if (const auto name = fileOfOneRank(baseName(entry.path)))
                add(entry, name->epoch.has_value() || name->globalStep.has_value(), name->rank);
    for (const FileEntry *entry : unnamed)
        if (!fileOfOneRank(baseName(entry->path)))
            add(*entry, !numbersIn(baseName(entry->path)).empty(), rankInName(baseName(entry->path)));
    const Rows rows = rowsOf(listing.root, checkpointFolders(listing.root, files));
    FolderRanks out;
    grids.take(out.ranks);
    std::vector<const Row *> rowsOfRanks;
    const RankedForms ranked = RankRows(listing, rows).find(rowsOfRanks, out.groups);
    for (const Row *row : rowsOfRanks)
        for (const auto &[number, folder] : row->folders) take(folder, ranked.at(row->form).rank(number), out);
    takeBrokenSaves(rows, ranked, out);
    takeEmptyFolders(listing, rowsOfRanks, ranked, out);
    return out;
}

}  // namespace rankdeck
