// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/splitstate/layout_split_state.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/splitstate/split_state_reader.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/state_halves.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

std::vector<std::string> namesOf(const std::vector<const FileEntry *> &files)
{
    std::vector<std::string> names;
    for (const FileEntry *file : files) names.push_back(baseName(file->path));
    return names;
}

bool isWhole(const std::vector<std::string> &names) { return holdsSplitState({names.begin(), names.end()}); }

// Taken from the folder of the save; if that is the folder of a rank, from the folder above it.
ParsedName nameOf(const ListingTree &tree, const std::string &path)
{
    ParsedName name;
    name.kind = CheckpointKind::other;
    name.prefix = "state";
    const std::string own = tree.withoutRank(path);
    takeSaveFolder(own.empty() ? dirName(path) : own, tree.root(), name);
    return name;
}

struct NumberedFile {
    const FileEntry *file = nullptr;
    NumberedHalf name;
};

// model_30.pt, optim_30.pt, meta_30.json. If the weights have ranks, each rank has its own set. Otherwise there is one
// set for all ranks, which may include one optimizer file per rank.
using Point = std::pair<std::int64_t, int>;  // number, rank (-1: all)

// Files with numbers, if at least one number has weights and optimizer.
std::map<Point, std::vector<NumberedFile>> numberedIn(const std::vector<const FileEntry *> &files)
{
    std::vector<NumberedFile> all;
    std::map<std::int64_t, std::set<StateHalf>> halves;
    bool ofRanks = false;
    for (const FileEntry *file : files) {
        auto name = numberedHalf(baseName(file->path));
        if (!name) continue;
        halves[name->number].insert(name->half);
        ofRanks = ofRanks || (name->half == StateHalf::weights && name->rank);
        all.push_back({file, std::move(*name)});
    }
    const auto isBoth = [](const auto &held) {
        return held.second.count(StateHalf::weights) != 0 && held.second.count(StateHalf::optimizer) != 0;
    };
    std::map<Point, std::vector<NumberedFile>> out;
    if (std::none_of(halves.begin(), halves.end(), isBoth)) return out;
    for (NumberedFile &one : all) {
        const std::set<StateHalf> &held = halves[one.name.number];
        if (held.size() == 1 && held.count(StateHalf::rest) != 0) continue;
        const int rank = ofRanks ? one.name.rank.value_or(0) : -1;
        out[{one.name.number, rank}].push_back(std::move(one));
    }
    return out;
}

// Path of the weights, even if the file is missing.
std::string weightsPath(const std::vector<NumberedFile> &files, const std::vector<NumberedFile> &known)
{
    const auto isWeights = [](const NumberedFile &one) { return one.name.half == StateHalf::weights; };
    if (const auto own = std::find_if(files.begin(), files.end(), isWeights); own != files.end())
        return own->file->path;
    const auto other = std::find_if(known.begin(), known.end(), isWeights);
    const NumberedFile &first = files.front();
    if (other == known.end()) return first.file->path;
    const bool ofRank = first.name.rank && other->name.rank;
    std::string name = ofRank ? other->name.ranked : other->name.form;
    name.replace(name.find('#'), 1, first.name.digits);
    if (ofRank) name.replace(name.find('#'), 1, std::to_string(*first.name.rank));
    return joinPath(dirName(first.file->path), name);
}

void addNumbered(const ListingTree &tree, const std::vector<const FileEntry *> &files, std::vector<Composite> &all)
{
    const auto points = numberedIn(files);
    std::vector<NumberedFile> known;
    for (const auto &[point, own] : points) known.insert(known.end(), own.begin(), own.end());
    for (const auto &[point, own] : points) {
        std::vector<FileEntry> parts;
        for (const NumberedFile &one : own) parts.push_back(*one.file);
        Composite one = makeComposite(tree, weightsPath(own, known), std::move(parts));
        const NumberedHalf &name = own.front().name;
        one.name = {};
        one.name.prefix = "state";
        (name.isEpoch ? one.name.epoch : one.name.globalStep) = point.first;
        one.name.stepIsGuess = !name.isEpoch && !name.isStep;
        if (point.second >= 0) one.name.rank = point.second;
        one.directory = false;
        one.mayBeOfRank = true;
        all.push_back(std::move(one));
    }
}

std::vector<Composite> find(const ListingTree &tree)
{
    // If a folder lacks a file, its sibling folders show which file is missing.
    std::set<std::pair<std::string, std::string>> expected;  // (folder without its numbers, name)
    for (const auto &[directory, files] : tree.directories())
        if (const auto names = namesOf(files); isWhole(names))
            for (const std::string &name : names)
                if (splitStateHalf(name)) expected.emplace(withoutNumbers(directory), name);
    std::vector<Composite> all;
    for (const auto &[directory, files] : tree.directories()) {
        addNumbered(tree, files, all);
        std::vector<FileEntry> parts;
        bool ours = false;
        for (const FileEntry *file : files) {
            const std::string name = baseName(file->path);
            if (!splitStateHalf(name)) continue;
            ours = ours || expected.count({withoutNumbers(directory), name}) != 0;
            parts.push_back(*file);
        }
        if (!ours) continue;
        Composite one = makeComposite(tree, directory, std::move(parts));
        one.name = nameOf(tree, directory);
        one.mayBeOfRank = true;
        all.push_back(std::move(one));
    }
    return all;
}

// actor_3.pt and critic_3.pt are two models, and nothing shows that an optimizer belongs to them.
bool areSeveralModels(const std::vector<FileEntry> &parts)
{
    std::set<std::string> models;
    for (const FileEntry &part : parts) {
        const auto name = numberedHalf(baseName(part.path));
        if (name && name->half == StateHalf::optimizer) return false;
        if (name && name->half == StateHalf::weights) models.insert(name->form);
    }
    return models.size() > 1;
}

std::unique_ptr<FormatReader> open(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted)
{
    const bool ours = !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const FileEntry &part) {
        return dirName(part.path) == whole.path && splitStateHalf(baseName(part.path)).has_value();
    });
    const auto point = numberedHalf(baseName(whole.path));
    const bool numbered =
        point && !parts.empty() &&
        std::all_of(parts.begin(), parts.end(),
                    [&](const FileEntry &part) {
                        const auto own = numberedHalf(baseName(part.path));
                        return dirName(part.path) == dirName(whole.path) && own && own->number == point->number;
                    }) &&
        !areSeveralModels(parts);
    return ours || numbered ? std::make_unique<SplitStateReader>(whole, parts, wanted) : nullptr;
}

}  // namespace

const Layout splitStateLayout{&find, &open};

}  // namespace rankdeck
