// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of missing parts. A part is a file with a state, a mark or a component's folder that most other saves of
// the run have. Only the other saves show which parts a save must have. A slot is a path below the save with its
// numbers as '#'.
#include "core/base/text.h"
#include "core/checkpoint/formats/formats.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/read/saved_name.h"
#include "core/checkpoint/state_halves.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

bool holdsState(const std::string &name)
{
    for (const std::string_view end : {".safetensors", ".bin", ".pkl"})
        if (name.ends_with(end)) return true;
    return parseCheckpointName(name, {}).has_value();
}

bool isRandomState(std::string_view name)
{
    return (name.starts_with("random_states_") && name.ends_with(".pkl")) ||
           (name.starts_with("rng_state_") && name.ends_with(".pth"));
}

// DeepSpeed's pipeline does not store the number of its layers, so the file of each layer is a separate slot.
bool isPipelineLayer(std::string_view name) { return name.starts_with("layer_") && name.ends_with("-model_states.pt"); }

// A loader recognises a directory by it.
bool isMark(std::string_view name) { return name == ".metadata.json" || name == "meta.pt"; }

// True for saves such as verl's: one file for each rank, and beside them the files that all ranks share.
bool isOfRankFiles(const Member &member)
{
    return std::any_of(member.parts.begin(), member.parts.end(), [](const FileEntry &part) {
        return baseName(part.path).find("_world_size_") != std::string::npos;
    });
}

// A framework's reader knows what its loader needs. In the save of a script, every file with a state counts.
bool isOfScript(const SetAssessment &assessment)
{
    if (isOfRankFiles(*assessment.parts.front().member)) return false;
    switch (assessment.parts.front().evidence->format) {
    case Format::torchZip:
    case Format::torchLegacy:
    case Format::safetensors:
    case Format::mindsporeCkpt:
    case Format::npz:
    case Format::flax: return true;
    default: return false;
    }
}

// Objects that a script registered with Accelerate, which loads one file for each.
bool isRegistered(std::string_view name)
{
    for (const std::string_view stem : {"scheduler", "sampler", "dl_state_dict", "optimizer", "custom_checkpoint"})
        if (name.starts_with(stem) && (name.ends_with(".bin") || name.ends_with(".pkl"))) return true;
    return name == "model.safetensors" || name == "pytorch_model.bin" || name == "scaler.pt";
}

// Consequence of a load without this file; unknown for scripts.
std::string consequenceOf(std::string_view name)
{
    if (name == ".metadata.json") return ": OLMo-core does not load a directory without it";
    if (name == "meta.pt") return ": Lightning does not load a directory without it";
    if (isPipelineLayer(name)) return ": DeepSpeed would fail to load the set";
    return isRegistered(name) ? ": Accelerate would fail to load the set" : "";
}

bool isOfAccelerate(const Member &member)
{
    return std::any_of(member.parts.begin(), member.parts.end(), [&](const FileEntry &part) {
        const std::string name = baseName(part.path);
        return dirName(part.path) == member.file.path &&
               (name.starts_with("random_states_") || name == "optimizer.bin");
    });
}

const Member *wholeOf(const SetAssessment &assessment)
{
    const Member *member = assessment.parts.empty() ? nullptr : assessment.parts.front().member;
    const bool whole = member && assessment.sharedByRanks && !member->parts.empty();
    return whole && assessment.parts.front().evidence ? member : nullptr;
}

using Names = std::set<std::string>;

// Which files of a save count as slots.
struct Counting {
    bool script = false, accelerate = false, rankFiles = false;
};

std::string slotOf(const Member &member, const FileEntry &part, const Counting &counting)
{
    const std::string name = baseName(part.path);
    const std::string below(pathBelow(part.path, member.file.path));
    if (isPipelineLayer(name) || isRandomState(name) || isMark(name)) return below;
    if (counting.script) {
        if (splitStateHalf(name) || numberedHalf(name))
            if (std::string slot = nameInAllSaves(member.file.path, part.path); slot != part.path)
                return slot.find('#') == std::string::npos ? withoutNumbers(slot) : slot;
        // The names of files in one directory contain the number of the save.
        const bool beside = below.empty() || below == part.path;
        return holdsState(name) ? withoutNumbers(beside ? std::string(pathBelow(part.path, member.series)) : below)
                                : "";
    }
    const bool inFolder = below.find('/') != std::string::npos;
    if (counting.accelerate && (inFolder ? holdsState(name) || name == "config.json" : isRegistered(name)))
        return below;
    if (counting.rankFiles && name.ends_with(".pt") && name.find("_world_size_") == std::string::npos) return below;
    return {};
}

// The slots of a save: its own files, and the files of other checkpoints below its directory.
Names slotsOf(const SetAssessment &assessment, const Member &member, const std::vector<std::string> &paths)
{
    const Counting counting{isOfScript(assessment), isOfAccelerate(member), isOfRankFiles(member)};
    Names names;
    for (const FileEntry &part : member.parts)
        if (const std::string slot = slotOf(member, part, counting); !slot.empty()) names.insert(slot);
    const std::string below = member.file.path + "/";
    for (auto at = std::lower_bound(paths.begin(), paths.end(), below); at != paths.end() && at->starts_with(below);
         ++at)
        names.insert(withoutNumbers(at->substr(below.size())));
    return names;
}

std::vector<std::string> pathsOf(const std::vector<SetAssessment> &assessments)
{
    std::vector<std::string> paths;
    for (const SetAssessment &assessment : assessments)
        for (const Part &part : assessment.parts)
            if (part.member && (paths.empty() || paths.back() != part.member->file.path))
                paths.push_back(part.member->file.path);
    std::sort(paths.begin(), paths.end());
    return paths;
}

// True if the reader has already reported this: for this rank or, if no rank has such a file, for all ranks.
bool saysNoRandomState(const SetAssessment &assessment, const std::string &name, bool hasOthers)
{
    return std::any_of(assessment.set.reasons.begin(), assessment.set.reasons.end(), [&](const Reason &reason) {
        return reason.code == "no_rng" && (!hasOthers || reason.text.find(name) != std::string::npos);
    });
}

void blame(const SetAssessment &assessment, const std::string &slot, const Names &own, bool alone)
{
    const std::string name = baseName(slot), what = printable(slot) + " is missing, but " + (alone ? "all" : "most") +
                                                    " other saves of this run have it";
    if (isRandomState(name)) {
        if (!saysNoRandomState(assessment, name, std::any_of(own.begin(), own.end(), &isRandomState)))
            assessment.blame("no_rng", message("%1: resumable with loss, random numbers start over", what));
        return;
    }
    assessment.blame("part_missing", what + consequenceOf(name));
}

}  // namespace

void judgeMissingParts(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    const std::vector<std::string> paths = pathsOf(assessments);
    std::map<std::string, std::vector<std::size_t>> runs;                  // by series
    std::map<std::pair<std::string, std::string>, std::size_t> savesWith;  // series and slot
    std::vector<Names> slots(assessments.size());
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const Member *member = wholeOf(assessments[i]);
        if (!member) continue;
        slots[i] = slotsOf(assessments[i], *member, paths);
        runs[member->series].push_back(i);
        for (const std::string &slot : slots[i]) ++savesWith[{member->series, slot}];
    }
    for (const auto &[at, count] : savesWith) {
        const std::vector<std::size_t> &saves = runs[at.first];
        const std::size_t lacking = saves.size() - count;
        // A slot that most saves lack appeared or disappeared when the script was changed. Frameworks change their
        // files, too.
        if (lacking == 0 || lacking > (isOfScript(assessments[saves.front()]) ? count : 1) || saves.size() < 2)
            continue;
        for (const std::size_t i : saves)
            if (!slots[i].contains(at.second)) blame(assessments[i], at.second, slots[i], lacking == 1);
    }
}

}  // namespace rankdeck
