// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/read/layouts.h"

#include "core/base/text.h"
#include "core/checkpoint/name_words.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>

namespace rankdeck {
namespace {

void mix(std::uint64_t &hash, std::uint64_t value) { hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2); }

// The whole text before the number, as frameworks and scripts write it. "old-step-" is not in the list.
bool isStepWord(std::string_view words)
{
    static constexpr std::array known{"",
                                      "step",
                                      "checkpoint",
                                      "ckpt",
                                      "iter",
                                      "iteration",
                                      "global_step",
                                      "global-step",
                                      "checkpoint-step",
                                      "checkpoint_step",
                                      "ckpt-step",
                                      "ckpt_step",
                                      "checkpoint-iter",
                                      "checkpoint_iter",
                                      "batch"};
    if (!words.empty() && std::string_view("-_=").find(words.back()) != std::string_view::npos) words.remove_suffix(1);
    return std::find(known.begin(), known.end(), words) != known.end();
}

bool isEpochWord(std::string_view words)
{
    if (!words.empty() && std::string_view("-_=").find(words.back()) != std::string_view::npos) words.remove_suffix(1);
    return words == "epoch" || words == "checkpoint-epoch" || words == "checkpoint_epoch";
}

// "epoch=3-step=300": both numbers count the save.
bool takeEpochAndStep(std::string_view stem, ParsedName &name)
{
    const std::vector<std::string_view> numbers = numbersIn(stem);
    if (numbers.size() != 2 || !stem.ends_with(numbers[1])) return false;
    const std::string_view before = stem.substr(0, std::size_t(numbers[0].data() - stem.data()));
    const std::size_t end = before.size() + numbers[0].size();
    std::string_view between = stem.substr(end, std::size_t(numbers[1].data() - stem.data()) - end);
    while (!between.empty() && std::string_view("-_.").find(between.front()) != std::string_view::npos)
        between.remove_prefix(1);
    const std::string_view epoch = withoutJoints(before), step = withoutJoints(between);
    if ((epoch != "epoch" && epoch != "ep") ||
        (step != "step" && step != "iter" && step != "iteration" && step != "global_step"))
        return false;
    name.epoch = decimal(numbers[0]);
    name.globalStep = decimal(numbers[1]);
    name.prefix = "epoch-step";
    return name.epoch && name.globalStep;
}

bool isAnchored(const ParsedName &name)
{
    return !name.stepIsGuess && !name.temporary && (name.globalStep || name.epoch);
}

// If a directory contains names of a framework, all other names in it are copies, exports or leftovers. They are shown,
// but never used.
void findStrangers(std::vector<Composite> &all)
{
    std::set<std::string> named;
    for (const Composite &one : all)
        if (isAnchored(one.name) && !one.name.weightsOnly) named.insert(one.series);
    for (Composite &one : all) {
        if (isAnchored(one.name) || one.name.temporary || one.name.weightsOnly || !named.count(one.series)) continue;
        if (one.name.prefix == "release" || !one.directory) continue;
        one.name.foreign = true;
        if (!one.name.stepIsGuess) continue;
        one.name.prefix = baseName(one.whole.path);
        one.name.globalStep.reset();
        one.name.kind = CheckpointKind::other;
    }
}

}  // namespace

ParsedName numberedName(const std::string &directory)
{
    ParsedName name;
    std::string_view stem = directory;
    name.temporary = takeEnd(stem, "_tmp") || takeEnd(stem, "-tmp") || takeEnd(stem, ".tmp") ||
                     takeEnd(stem, "-unfinished") || takeStart(stem, "tmp-") || takeStart(stem, "tmp_");
    if (takeEpochAndStep(stem, name)) return name;
    const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
    const std::string_view words = stem.substr(0, digits);
    const auto number = decimal(stem.substr(digits));
    const bool anchored = isStepWord(words);
    const bool apart = !words.empty() && std::string_view("-_=.").find(words.back()) != std::string_view::npos;
    if (number && isEpochWord(words))
        name.epoch = number;
    else if (anchored || apart)
        name.globalStep = number;
    name.stepIsGuess = name.globalStep && !anchored;
    name.kind = name.globalStep || name.epoch ? CheckpointKind::periodic : CheckpointKind::other;
    name.prefix = std::string(name.globalStep || name.epoch ? words : stem);
    return name;
}

std::optional<ParsedName> pointOfFolder(const std::string &directory)
{
    const ParsedName name = numberedName(directory);
    std::string_view words = name.prefix;
    while (!words.empty() && std::string_view("-_=").find(words.back()) != std::string_view::npos)
        words.remove_suffix(1);
    const bool step = words == "step" || words == "iter" || words == "iteration" || words == "global_step";
    if (name.temporary || name.stepIsGuess || (!name.epoch && !(name.globalStep && step))) return std::nullopt;
    return name;
}

namespace {

// The last number anywhere in a folder's name: "save2", "2-full". It is a guess.
std::optional<ParsedName> numberInFolder(std::string_view folder)
{
    constexpr const char *digit = "0123456789";
    const std::size_t end = folder.find_last_of(digit) + 1, begin = folder.substr(0, end).find_last_not_of(digit) + 1;
    const auto number = end == 0 ? std::nullopt : decimal(folder.substr(begin, end - begin));
    const std::string_view word = folder.substr(0, begin);
    if (!number || countsRanks(word) || countsRuns(word)) return std::nullopt;
    ParsedName name;
    name.globalStep = number;
    name.stepIsGuess = true;
    name.temporary = numberedName(std::string(folder)).temporary;
    return name;
}

}  // namespace

void takeSaveFolder(const std::string &path, const std::string &root, ParsedName &name)
{
    std::optional<ParsedName> guess;
    for (std::string at = path; at.size() > root.size(); at = dirName(at)) {
        const std::string folder = baseName(at);
        std::optional<ParsedName> point = pointOfFolder(folder);
        if (!point && !guess) guess = numberInFolder(folder);
        if (!point) continue;
        guess = std::move(point);
        break;
    }
    if (!guess) return;
    name.epoch = guess->epoch;
    name.globalStep = guess->globalStep;
    name.stepIsGuess = guess->stepIsGuess;
    name.temporary = guess->temporary;
}

Composite makeComposite(const ListingTree &tree, const std::string &path, std::vector<FileEntry> parts)
{
    Composite out;
    out.whole.path = path;
    FileStat &stat = out.whole.stat;
    if (const FileEntry *own = tree.find(path)) {
        stat.device = own->stat.device;
        stat.mode = own->stat.mode;
    }
    stat.kind = 'd';
    for (const FileEntry &part : parts) {
        stat.size += part.stat.size;
        stat.mtimeNs = std::max(stat.mtimeNs, part.stat.mtimeNs);
        mix(stat.inode, std::hash<std::string>()(part.path));
        mix(stat.inode, part.stat.size);
        mix(stat.inode, std::uint64_t(part.stat.mtimeNs));
        mix(stat.inode, part.stat.inode);
    }
    out.parts = std::move(parts);
    out.name = numberedName(baseName(path));
    out.series = dirName(path);
    out.directory = true;
    // NeMo marks a directory while it is being written or deleted; DLRover collects a save in a separate directory.
    if (tree.find(path + "-unfinished")) out.name.temporary = true;
    if (baseName(out.series) == "._dlrover_ckpt_stage") {
        out.name.temporary = true;
        out.series = dirName(out.series);
    }
    return out;
}

namespace {

bool isMostlyAScripts(const Composite &found, const Layout &layout, bool (*namedByScript)(const std::string &baseName))
{
    if (!layout.owns || !found.directory) return false;
    std::uint64_t scripts = 0, others = 0;
    int owned = 0;  // a mark alone may be stray; data beside it is not, even if it is empty
    for (const FileEntry &part : found.parts) {
        const std::string base = baseName(part.path);
        owned += layout.owns(base) ? 1 : 0;
        const bool scriptsOwn = namedByScript(base) && !layout.owns(base);
        (scriptsOwn ? scripts : others) += std::min(part.stat.size, std::uint64_t(1) << 50);
    }
    return owned < 2 && scripts > others;
}

}  // namespace

std::vector<Composite> findComposites(const ListingTree &tree, std::span<const Layout *const> layouts,
                                      bool (*namedByScript)(const std::string &baseName))
{
    std::vector<Composite> all;
    std::set<std::string> taken;
    for (const Layout *layout : layouts) {
        std::vector<Composite> own = layout->find(tree);
        std::set<std::string> real;  // runs with a save of this layout: a mark in another save of the run is not stray
        for (const Composite &found : own)
            if (!isMostlyAScripts(found, *layout, namedByScript)) real.insert(found.series);
        for (Composite &found : own) {
            const bool free = std::none_of(found.parts.begin(), found.parts.end(),
                                           [&](const FileEntry &part) { return taken.count(part.path) != 0; });
            if (!free || real.count(found.series) == 0) continue;
            for (const FileEntry &part : found.parts) taken.insert(part.path);
            all.push_back(std::move(found));
        }
    }
    findStrangers(all);
    return all;
}

}  // namespace rankdeck
