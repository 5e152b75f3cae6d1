// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/components/component_names.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/mindspore/mindspore_names.h"
#include "core/checkpoint/formats/numpy/npz_names.h"
#include "core/checkpoint/formats/torch/lightning_names.h"
#include "core/checkpoint/formats/torch/torch_names.h"
#include "core/checkpoint/name_words.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/thresholds.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

namespace rankdeck {
namespace {

constexpr const char *digit = "0123456789";
constexpr char numberPlace = '\0';  // no file name contains it, except from a hostile node

struct Numbered {
    const FileEntry *file = nullptr;
    std::string form = {};  // each number replaced by numberPlace
    std::vector<std::string> numbers = {};
    std::optional<int> rank = {};
    bool ofEpochAndStep = false;  // true by its grammar: the last two numbers are the save
};

std::optional<Numbered> numberedOf(const SlotFile &file)
{
    const std::string base = baseName(file.name);
    const auto name = partName(base);
    const bool ours = name && (name->kind == CheckpointKind::periodic || name->kind == CheckpointKind::other) &&
                      !name->rank && !name->sharedByRanks && !name->temporary && !name->weightsOnly &&
                      !name->worldSize && name->rerun == 0;
    if (!ours || namesACopy(base) || file.name.find(numberPlace) != std::string::npos) return std::nullopt;
    Numbered out;
    out.file = file.file;
    out.rank = file.rank;
    const std::string extension = name->extension.empty() ? std::string() : "." + name->extension;
    const bool ends = !extension.empty() && base.ends_with(extension);
    const std::size_t dot = ends ? base.size() - extension.size() : base.rfind('.');
    std::string stem = base.substr(0, dot);
    stem.insert(0, file.name, 0, file.name.size() - base.size());
    for (std::size_t at = 0; at < stem.size();) {
        const std::size_t begin = std::min(stem.find_first_of(digit, at), stem.size());
        const std::size_t end = std::min(stem.find_first_not_of(digit, begin), stem.size());
        out.form += stem.substr(at, begin - at);
        if (end > begin) {
            out.form += numberPlace;
            out.numbers.push_back(stem.substr(begin, end - begin));
        }
        at = end;
    }
    out.form += dot == std::string::npos ? "" : base.substr(dot);
    out.ofEpochAndStep = name->epoch && name->step && out.numbers.size() >= 2;
    return out.numbers.empty() ? std::nullopt : std::optional(std::move(out));
}

// Numbers of a form that vary from file to file; if there is only one file, its last number.
std::set<std::size_t> variablesOf(const std::vector<Numbered> &files)
{
    const std::size_t count = files.front().numbers.size();
    if (files.front().ofEpochAndStep) return {count - 2, count - 1};
    std::set<std::size_t> variables;
    for (std::size_t i = 0; i < count; ++i)
        if (std::any_of(files.begin(), files.end(),
                        [&](const Numbered &one) { return one.numbers[i] != files.front().numbers[i]; }))
            variables.insert(i);
    return variables.empty() ? std::set{count - 1} : variables;
}

bool endsInWord(std::string_view text, std::initializer_list<std::string_view> words)
{
    const std::string_view bare = withoutJoints(text);
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return bare.ends_with(word); });
}

// The form with its constant numbers, and the text before the first variable one.
std::pair<std::string, std::string> named(const Numbered &one, const std::set<std::size_t> &variables)
{
    std::string name, before;
    std::size_t number = 0;
    for (const char c : one.form) {
        const bool isNumber = c == numberPlace, varies = isNumber && variables.contains(number);
        if (varies && before.empty()) before = name;
        name += varies ? "#" : isNumber ? one.numbers[number] : std::string(1, c);
        number += isNumber ? 1 : 0;
    }
    return {name, before};
}

std::int64_t medianOf(std::vector<std::int64_t> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

// The usual pause from the first file of a save to the first file of the next. 0: a single save, or a copy without
// times.
std::int64_t pauseOfSaves(const Slot &slot)
{
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> began;  // epoch and number
    for (const auto &[key, file] : slot.files) {
        const auto [save, first] = began.try_emplace({key.epoch, key.number}, file->stat.mtimeNs);
        if (!first) save->second = std::min(save->second, file->stat.mtimeNs);
    }
    std::vector<std::int64_t> times, pauses;
    for (const auto &[save, at] : began) times.push_back(at);
    std::sort(times.begin(), times.end());
    for (std::size_t i = 1; i < times.size(); ++i) pauses.push_back(times[i] - times[i - 1]);
    return medianOf(std::move(pauses));
}

// Files of one save are closer together in time than two saves are. Two runs also save into sibling folders, and may
// begin at nearly the same time: there, the files must be much closer.
bool areOfOneTime(const Slot &a, const Slot &b)
{
    std::vector<std::int64_t> apart;
    for (const auto &[key, file] : a.files)
        if (const auto other = b.files.find(key); other != b.files.end())
            apart.push_back(std::abs(file->stat.mtimeNs - other->second->stat.mtimeNs));
    const std::int64_t pause = pauseOfSaves(a);
    const bool beside = dirName(a.name) == dirName(b.name);
    const std::int64_t most = pause == 0 ? threshold::componentsOfASave
                              : beside   ? std::max(threshold::componentsOfASave, pause / threshold::muchFurther)
                                         : pause / threshold::timesCloser;
    return medianOf(std::move(apart)) <= most;
}

bool areComponents(const Slot &a, const Slot &b)
{
    if (lettersOf(a.name) == lettersOf(b.name)) return false;
    const auto isRanked = [](const Slot &slot) { return slot.files.begin()->first.rank >= 0; };
    if (isRanked(a) != isRanked(b)) return false;
    const auto shared =
        std::count_if(a.files.begin(), a.files.end(), [&](const auto &one) { return b.files.contains(one.first); });
    return shared > 0 && 2 * std::size_t(shared) >= std::max(a.files.size(), b.files.size()) && areOfOneTime(a, b);
}

}  // namespace

std::optional<ParsedName> partName(const std::string &base)
{
    if (base.size() > 255 || parseLightningName(base, {})) return std::nullopt;
    auto name = parseMindsporeName(base, {});
    if (!name) name = parseTorchName(base, {});
    if (!name) name = parseNpzName(base, {});
    if (!name && base.ends_with(".safetensors"))
        name = ParsedName{CheckpointKind::other, base.substr(0, base.rfind('.'))};
    return name;
}

std::optional<int> takeRank(std::string &name)
{
    if (const auto rank = takeRankWord(name)) return rank;
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    const auto number = decimal(std::string_view(name).substr(digits));
    if (!number || *number > 1'000'000 || !countsRanks(std::string_view(name).substr(0, digits))) return std::nullopt;
    name.clear();
    return static_cast<int>(*number);
}

std::optional<int> takeRankOfFolder(const ListingTree &tree, const std::string &folder, std::string &name)
{
    const auto rank = tree.rankOfFolder(folder);
    if (!rank) return takeRank(name);
    if (const std::string rest = tree.withoutRank(folder); !rest.empty()) {
        name = baseName(rest);
        return rank;
    }
    if (takeRankWord(name)) return rank;
    std::erase_if(name, [](char c) { return std::string_view(digit).find(c) != std::string_view::npos; });
    name = withoutJoints(name);
    if (countsRanks(name)) name.clear();
    return rank;
}

SlotFile slotFileOf(const FileEntry *file, const FileRanks &ranks)
{
    if (const auto own = ranks.find(file->path); own != ranks.end()) return {file, own->second.base, own->second.rank};
    const std::string base = baseName(file->path);
    const std::size_t dot = std::min(base.rfind('.'), base.size());
    std::string stem = base.substr(0, dot);
    const auto rank = takeRank(stem);
    return {file, rank ? (stem.empty() ? "rank" : stem) + base.substr(dot) : base, rank};
}

std::vector<Slot> slotsOf(const std::vector<SlotFile> &files)
{
    std::map<std::pair<std::string, std::size_t>, std::vector<Numbered>> forms;
    for (const SlotFile &file : files)
        if (auto one = numberedOf(file)) forms[{one->form, one->numbers.size()}].push_back(std::move(*one));
    std::vector<Slot> slots;
    for (const auto &[form, all] : forms) {
        const std::set<std::size_t> variables = variablesOf(all);
        if (variables.size() > (all.front().ofEpochAndStep ? 2 : 1)) continue;
        const auto [name, before] = named(all.front(), variables);
        Slot slot{name};
        slot.isStep = endsInWord(before, {"step", "steps", "iter", "iteration"});
        slot.isEpoch = !slot.isStep && endsInWord(before, {"epoch", "ep"});
        for (const Numbered &one : all) {
            const auto number = decimal(one.numbers[*variables.rbegin()]),
                       first = decimal(one.numbers[*variables.begin()]);
            if (!number || !first) continue;
            slot.files.emplace(SaveKey{variables.size() == 2 ? *first : -1, *number, one.rank.value_or(-1)}, one.file);
        }
        if (!slot.files.empty()) slots.push_back(std::move(slot));
    }
    return slots;
}

std::vector<std::vector<std::size_t>> componentsAmong(const std::vector<Slot> &slots)
{
    std::vector<std::size_t> group(slots.size());
    std::iota(group.begin(), group.end(), 0);
    for (std::size_t i = 0; i < slots.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (const std::size_t from = group[i], to = group[k]; from != to && areComponents(slots[i], slots[k]))
                std::replace(group.begin(), group.end(), from, to);
    std::map<std::size_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < slots.size(); ++i) groups[group[i]].push_back(i);
    std::vector<std::vector<std::size_t>> out;
    for (auto &[first, members] : groups)
        if (members.size() > 1) out.push_back(std::move(members));
    return out;
}

std::string slotName(std::string_view path, std::string_view series) { return withoutNumbers(pathBelow(path, series)); }

}  // namespace rankdeck
