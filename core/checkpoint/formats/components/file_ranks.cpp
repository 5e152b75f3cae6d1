// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/components/file_ranks.h"

#include "core/base/text.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/layouts.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace rankdeck {
namespace {

constexpr std::size_t mostFilesOfARow = 100'000;  // more are data
constexpr std::size_t mostNumbers = 8;            // that vary in the names of a row
constexpr std::size_t mostOfARank = 3;            // numbers that together are a rank, if there are many
constexpr std::int64_t mostRanks = 1'000'000;

struct Number {
    std::size_t begin = 0, end = 0;  // in the text
    std::int64_t value = 0;
    bool ofFolder = false;  // the rank of the folder, which is not in the text
};

std::vector<Number> numbersInName(std::string_view text)
{
    std::vector<Number> numbers;
    for (const std::string_view digits : numbersIn(text)) {
        const auto begin = std::size_t(digits.data() - text.data());
        numbers.push_back({begin, begin + digits.size(), decimal(digits).value_or(mostRanks)});
    }
    return numbers;
}

bool isAsciiLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isSeparator(char c) { return c == '_' || c == '-' || c == '.' || c == '='; }

// "gpu" of "model_gpu_3": the letters beside the number, without separators. Returns their beginning.
std::size_t wordBefore(std::string_view base, std::size_t number)
{
    std::size_t at = number;
    while (at > 0 && isSeparator(base[at - 1])) --at;
    while (at > 0 && isAsciiLetter(base[at - 1])) --at;
    return at;
}
std::string_view wordOf(std::string_view base, std::size_t number)
{
    const std::size_t at = wordBefore(base, number);
    return withoutJoints(base.substr(at, number - at));
}

struct File {
    const FileEntry *entry = nullptr;
    std::string base;
    std::vector<Number> own;  // numbers of the name, after that of the folder if its number may be a part of the rank
    std::string others;       // the path without the name: its numbers are those of the save
    bool namesARank = false;  // RankCandidate
};

// Which numbers of the names are the rank; of one form, so that all files have the same places.
using Places = std::vector<std::size_t>;

struct Save {
    std::set<std::vector<std::int64_t>> ranks;
    std::vector<std::int64_t> timesNs;  // ascending
    std::int64_t spacing = 0;           // longest pause between two of its files
};

std::vector<std::int64_t> at(const File &file, const Places &places)
{
    std::vector<std::int64_t> values;
    for (const std::size_t place : places) values.push_back(file.own[place].value);
    return values;
}

std::vector<Save> savesOf(const std::vector<File> &files, const Places &places)
{
    std::map<std::string, Save> byNumbers;
    for (const File &file : files) {
        std::string key = file.others;
        for (std::size_t i = 0; i < file.own.size(); ++i)
            if (std::find(places.begin(), places.end(), i) == places.end())
                key += '/' + std::to_string(file.own[i].value);
        Save &save = byNumbers[key];
        save.ranks.insert(at(file, places));
        save.timesNs.push_back(file.entry->stat.mtimeNs);
    }
    std::vector<Save> saves;
    for (auto &[key, save] : byNumbers) {
        std::sort(save.timesNs.begin(), save.timesNs.end());
        for (std::size_t i = 1; i < save.timesNs.size(); ++i)
            save.spacing = std::max(save.spacing, save.timesNs[i] - save.timesNs[i - 1]);
        saves.push_back(std::move(save));
    }
    std::sort(saves.begin(), saves.end(),
              [](const Save &a, const Save &b) { return a.timesNs.front() < b.timesNs.front(); });
    return saves;
}

// Whether the times of the files fit to these saves.
enum class Times {
    apart,
    silent,   // the times prove nothing, as those of a copy
    together  // the files of a save have about the same time, and a longer pause follows
};

// inFolders: the files of a save are in several folders, which may be those of two runs.
Times timesOf(const std::vector<Save> &saves, bool inFolders)
{
    Times times = Times::together;
    for (std::size_t i = 0; i < saves.size(); ++i) {
        if (saves[i].timesNs.back() - saves[i].timesNs.front() > threshold::oneSave) return Times::apart;
        if (i == 0) continue;
        const std::int64_t pause = saves[i].timesNs.front() - saves[i - 1].timesNs.back();
        const std::int64_t spacing = std::max(saves[i].spacing, saves[i - 1].spacing);
        if (pause < 0) return Times::apart;
        const int closer = inFolders && spacing > threshold::stagger ? threshold::timesCloser : threshold::pauseOfSaves;
        if (pause <= 0 || pause < closer * spacing) times = Times::silent;
    }
    return times;
}

// Widths of the numbers that together are the rank. Each counts from 0 or 1 without a gap. A single save may lack files,
// and no other save shows which. Empty: they count something else.
struct Widths {
    std::vector<std::int64_t> first, width;
    std::int64_t ranks = 1;
};
std::optional<Widths> widthsOf(const std::vector<File> &files, const Places &places, bool mayHaveGaps)
{
    Widths widths;
    for (const std::size_t place : places) {
        std::set<std::int64_t> seen;
        for (const File &file : files) seen.insert(file.own[place].value);
        const std::int64_t first = *seen.begin(), width = *seen.rbegin() - first + 1;
        const std::int64_t fewest = mayHaveGaps && places.size() == 1 ? width / 2 + 1 : width;
        if (first > 1 || width < 2 || std::int64_t(seen.size()) < fewest) return std::nullopt;
        widths.first.push_back(first);
        widths.width.push_back(width);
        widths.ranks *= width;
        if (widths.ranks > mostRanks) return std::nullopt;
    }
    return widths;
}

bool countSaves(const File &file, const Places &places)
{
    return std::any_of(places.begin(), places.end(), [&](std::size_t place) {
        const std::string_view word = wordOf(file.base, file.own[place].begin);
        return !file.own[place].ofFolder && (countsSaves(word) || countsRuns(word));
    });
}

// A number that counts steps: its values are far apart, unlike those of ranks, epochs and runs.
bool haveSteps(const std::vector<File> &files, const Places &places)
{
    std::vector<std::set<std::int64_t>> values;
    for (const File &file : files) {
        std::vector<std::int64_t> others;
        for (std::size_t i = 0; i < file.own.size(); ++i)
            if (std::find(places.begin(), places.end(), i) == places.end()) others.push_back(file.own[i].value);
        for (const Number &number : numbersInName(file.others)) others.push_back(number.value);
        values.resize(others.size());
        for (std::size_t i = 0; i < others.size(); ++i) values[i].insert(others[i]);
    }
    return std::any_of(values.begin(), values.end(), [](const std::set<std::int64_t> &own) {
        return own.size() > 1 && *own.rbegin() - *own.begin() >= 4 * std::int64_t(own.size() - 1);
    });
}

struct Reading {
    Places places;
    Widths widths;
    Times times = Times::apart;
    bool means = false;   // the letters beside the number mean a rank
    bool steps = false;   // the other numbers count steps
    bool atOnce = false;  // a single save that something names, written within seconds
    std::size_t saves = 0;
};

// True if the folder of these files, or another number in their names, is that of a save.
bool nameASave(const File &file, const Places &places)
{
    for (std::size_t i = 0; i < file.own.size(); ++i)
        if (std::find(places.begin(), places.end(), i) == places.end() &&
            !countsRuns(wordOf(file.base, file.own[i].begin)))
            return true;
    ParsedName name;
    takeSaveFolder(file.others, dirName(dirName(file.others)), name);
    return name.epoch || name.globalStep;
}

// Most saves have all ranks, or the first of them, as after a change of their number.
std::optional<Reading> readingOf(const std::vector<File> &files, const Places &places)
{
    if (countSaves(files.front(), places)) return std::nullopt;
    const std::vector<Save> saves = savesOf(files, places);
    const bool single = saves.size() == 1;
    const auto isTwice = [](const Save &save) { return save.timesNs.size() > save.ranks.size(); };
    if (std::any_of(saves.begin(), saves.end(), isTwice)) return std::nullopt;  // two files of one rank
    const std::optional<Widths> widths = widthsOf(files, places, single);
    if (!widths) return std::nullopt;
    const auto whole = std::size_t(std::count_if(saves.begin(), saves.end(), [&](const Save &save) {
        const std::int64_t ranks = std::int64_t(save.ranks.size());
        const bool first = places.size() == 1 && ranks > 1 && *save.ranks.begin() == widths->first &&
                           save.ranks.rbegin()->front() - widths->first.front() + 1 == ranks;
        return ranks == widths->ranks || first;
    }));
    if (!single && 2 * whole <= saves.size()) return std::nullopt;
    const Number &number = files.front().own[places.front()];
    const bool means = places.size() == 1 && countsRanks(wordOf(files.front().base, number.begin));
    const std::vector<std::int64_t> &times = saves.front().timesNs;
    const bool atOnce =
        single && times.back() - times.front() <= threshold::stagger && nameASave(files.front(), places);
    return Reading{
        places, *widths,     timesOf(saves, files.front().own.front().ofFolder), means, haveSteps(files, places),
        atOnce, saves.size()};
}

// Numbers that are not equal in all files.
Places variablesOf(const std::vector<File> &files)
{
    Places variables;
    for (std::size_t i = 0; i < files.front().own.size(); ++i)
        if (std::any_of(files.begin(), files.end(),
                        [&](const File &file) { return file.own[i].value != files.front().own[i].value; }))
            variables.push_back(i);
    return variables;
}

// All choices among these numbers, single ones first.
std::vector<Places> choicesOf(const Places &variables, bool ofFolder)
{
    std::vector<Places> choices;
    for (unsigned bits = 1; bits < (1u << variables.size()); ++bits) {
        Places places;
        for (std::size_t i = 0; i < variables.size(); ++i)
            if ((bits >> i & 1u) != 0) places.push_back(variables[i]);
        if (variables.size() > mostOfARank + 1 && places.size() > mostOfARank) continue;
        if (!ofFolder || places.back() > 0) choices.push_back(std::move(places));  // not the folder's number alone
    }
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Places &a, const Places &b) { return a.size() < b.size(); });
    return choices;
}

// "ckpt_100.pt" for "ckpt_100_gpu2.pt" and "ckpt_100_2of4.pt", "gpu.pt" for "gpu_2.pt", "rank.pt" for "2.pt".
std::string withoutRank(const File &file, const Places &places)
{
    std::string base = file.base;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        if (file.own[*place].ofFolder) continue;
        std::size_t begin = file.own[*place].begin, end = file.own[*place].end;
        if (const std::string_view rest = std::string_view(base).substr(end); rest.starts_with("of")) {
            const std::size_t digits = rest.find_first_not_of("0123456789", 2);
            if (digits != 2) end += std::min(digits, rest.size());
        }
        const std::size_t word = wordBefore(base, begin);
        const bool alone =
            word == 0 && (end == base.size() || base[end] == '.') && base.find('.', end) == base.rfind('.');
        if (!alone && countsRanks(wordOf(base, begin))) begin = word;  // "actor" in actor_2.pt is not the rank's
        while (begin > 0 && isSeparator(base[begin - 1])) --begin;
        base.erase(begin, end - begin);
    }
    while (!base.empty() && isSeparator(base.front()) && base.find('.', 1) != std::string::npos) base.erase(0, 1);
    return base.empty() || base.front() == '.' ? "rank" + base : base;
}

void take(const std::vector<File> &files, const Places &places, const Widths &widths,
          std::map<std::string, FileRank> &out)
{
    for (const File &file : files) {
        const std::vector<std::int64_t> values = at(file, places);
        std::int64_t rank = 0;
        for (std::size_t i = 0; i < values.size(); ++i) rank = rank * widths.width[i] + values[i] - widths.first[i];
        out[file.entry->path] = {static_cast<int>(rank), withoutRank(file, places),
                                 file.own.front().ofFolder ? file.others : std::string()};
    }
}

void takeRow(const std::vector<File> &files, std::map<std::string, FileRank> &out)
{
    if (files.size() < 2 || files.size() > mostFilesOfARow) return;
    const bool ofFolder = !files.front().own.empty() && files.front().own.front().ofFolder;
    const Places variables = variablesOf(files);
    if (variables.empty() || variables.size() > mostNumbers) return;
    std::vector<Reading> readings;
    for (const Places &places : choicesOf(variables, ofFolder))
        if (auto reading = readingOf(files, places)) readings.push_back(std::move(*reading));
    const auto choose = [&](const auto &fits) {
        const auto found = std::find_if(readings.begin(), readings.end(), fits);
        if (found != readings.end()) take(files, found->places, found->widths, out);
        return found != readings.end();
    };
    const auto together = [](const Reading &one) { return one.saves > 1 && one.times == Times::together; };
    if (files.front().namesARank) {  // its name alone shows the rank if that number is enough
        const auto found = std::find_if(readings.begin(), readings.end(), together);
        if (found != readings.end() && found->places.size() > 1) take(files, found->places, found->widths, out);
        return;
    }
    if (choose(together) || ofFolder) return;
    if (choose([](const Reading &one) { return one.means; })) return;
    if (choose([](const Reading &one) { return one.atOnce; })) return;
    if (readings.size() == 1)
        choose([](const Reading &one) { return one.saves > 1 && one.times == Times::silent && one.steps; });
}

}  // namespace

std::map<std::string, FileRank> findFileRanks(const std::vector<RankCandidate> &files)
{
    std::map<std::pair<std::string, int>, std::vector<File>> rows;  // by the path without numbers, and what is known
    for (const RankCandidate &candidate : files) {
        const std::string &path = candidate.entry->path;
        File file{candidate.entry, baseName(path), {}, candidate.folderRank ? candidate.around : dirName(path)};
        file.own = numbersInName(file.base);
        if (file.own.empty()) continue;
        if (candidate.folderRank) file.own.insert(file.own.begin(), Number{0, 0, *candidate.folderRank, true});
        file.namesARank = candidate.namesARank;
        rows[{withoutNumbers(path), candidate.folderRank   ? 2
                                    : candidate.namesARank ? 1
                                                           : 0}]
            .push_back(std::move(file));
    }
    std::map<std::string, FileRank> out;
    for (const auto &[form, row] : rows) takeRow(row, out);
    return out;
}

}  // namespace rankdeck
