// SPDX-License-Identifier: GPL-3.0-or-later
// Accelerate loads a file for each object that the script has registered, and ends where one is not there; OLMo-core takes
// no directory without its mark. Nothing in a checkpoint says which there are, and of what step each is: the other saves
// of the run do.
#include "core/base/text.h"
#include "core/checkpoint/listing_tree.h"
#include "core/checkpoint/state_halves.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace rankdeck {
namespace {

bool isRegistered(std::string_view name)
{
    for (const std::string_view stem : {"scheduler", "sampler", "dl_state_dict", "optimizer", "custom_checkpoint"})
        if (name.starts_with(stem) && (name.ends_with(".bin") || name.ends_with(".pkl"))) return true;
    if (name == "model.safetensors" || name == "pytorch_model.bin") return true;
    return name == "scaler.pt";
}

bool isRandomState(std::string_view name)
{
    return (name.starts_with("random_states_") && name.ends_with(".pkl")) ||
           (name.starts_with("rng_state_") && name.ends_with(".pth"));
}

// How many layers there are DeepSpeed's pipeline says nowhere; those without parameters have no file.
bool isPipelineLayer(std::string_view name) { return name.starts_with("layer_") && name.ends_with("-model_states.pt"); }

bool isOlmoMark(std::string_view name) { return name == ".metadata.json"; }

const Member *wholeOf(const SetAssessment &assessment)
{
    const Member *member = assessment.parts.empty() ? nullptr : assessment.parts.front().member;
    return member && assessment.sharedByRanks && !member->parts.empty() ? member : nullptr;
}

using Names = std::set<std::string>;

Names namesIn(const Member &member, bool (*is)(std::string_view))
{
    Names names;
    for (const FileEntry &part : member.parts)
        if (dirName(part.path) == member.file.path && is(baseName(part.path))) names.insert(baseName(part.path));
    return names;
}

// unet/diffusion_pytorch_model.safetensors: a script's own hooks save each model into a folder of its own,
// with the configuration that it is made from.
Names modelsWithin(const Member &member)
{
    Names names;
    for (const FileEntry &part : member.parts) {
        const std::string name(pathBelow(part.path, member.file.path));
        if (name.find('/') == std::string::npos) continue;
        const bool model = baseName(name).find("model") != std::string::npos &&
                           (name.ends_with(".safetensors") || name.ends_with(".bin"));
        if (model || baseName(name) == "config.json") names.insert(name);
    }
    return names;
}

// By their names; empty: not one of Accelerate's.
Names registeredIn(const Member &member)
{
    const auto own = [](std::string_view name) {
        return name.starts_with("random_states_") || name == "optimizer.bin";
    };
    if (namesIn(member, own).empty()) return {};
    Names names = namesIn(member, &isRegistered);
    names.merge(modelsWithin(member));
    return names;
}

// Of a script that saves weights and optimizer apart; what it loads nobody knows, so every file counts.
Names halvesIn(const Member &member)
{
    Names names;
    for (const FileEntry &part : member.parts) {
        const std::string name = baseName(part.path);
        if (!splitStateHalf(name) && !numberedHalf(name)) return {};
        names.insert(nameInAllSaves(member.file.path, part.path));
    }
    return names;
}

// Beside the halves of all ranks, as verl's data.pt.
Names looseStatesIn(const Member &member)
{
    const bool ours = std::any_of(member.parts.begin(), member.parts.end(), [](const FileEntry &part) {
        return baseName(part.path).find("_world_size_") != std::string::npos;
    });
    if (!ours) return {};
    Names names = namesIn(member, [](std::string_view name) {
        return name.ends_with(".pt") && name.find("_world_size_") == std::string_view::npos;
    });
    names.insert("");  // one of the run, too, that has none
    return names;
}

// Of Lightning's sharded checkpoints.
Names lightningMarkIn(const Member &member)
{
    if (namesIn(member, [](std::string_view name) { return name == ".metadata"; }).empty()) return {};
    Names names = namesIn(member, [](std::string_view name) { return name == "meta.pt"; });
    names.insert("");  // one of the run, too, that has none
    return names;
}

// Calls for each name that all saves of a run have but one, with that one.
void eachLacking(std::vector<SetAssessment> &assessments, const std::function<Names(const Member &)> &namesOf,
                 const std::function<void(SetAssessment &, const std::string &)> &tell)
{
    std::map<std::string, std::vector<std::size_t>> runs;
    std::map<std::pair<std::string, std::string>, std::size_t> savesWith;  // series and name
    std::vector<Names> names(assessments.size());
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        const Member *member = wholeOf(assessments[i]);
        if (member) names[i] = namesOf(*member);
        if (names[i].empty()) continue;
        runs[member->series].push_back(i);
        for (const std::string &name : names[i]) ++savesWith[{member->series, name}];
    }
    for (const auto &[at, count] : savesWith) {
        const std::vector<std::size_t> &saves = runs[at.first];
        if (saves.size() < 2 || count + 1 != saves.size()) continue;
        const auto lacking = std::find_if(saves.begin(), saves.end(),
                                          [&, &name = at.second](std::size_t i) { return names[i].count(name) == 0; });
        if (lacking != saves.end()) tell(assessments[*lacking], at.second);
    }
}

}  // namespace

void judgeMissingParts(std::vector<SetAssessment> &assessments)
{
    eachLacking(assessments, &registeredIn, [](SetAssessment &assessment, const std::string &name) {
        assessment.found.unproven = true;
        assessment.addReason("part_missing", printable(name) + " is not there, and all other saves of this run have "
                                                               "it: Accelerate would end at its load");
        conclude(assessment);
    });
    const auto marks = [](const Member &member) {
        Names names = namesIn(member, &isOlmoMark);
        if (member.file.stat.kind == 'd') names.insert("");  // one of the run, too, that has none
        return names;
    };
    eachLacking(assessments, marks, [](SetAssessment &assessment, const std::string &name) {
        assessment.found.unproven = true;
        assessment.addReason("part_missing", printable(name) + " is not there, and all other saves of this run have "
                                                               "it: OLMo-core takes no directory without it");
        conclude(assessment);
    });
    eachLacking(assessments, &halvesIn, [](SetAssessment &assessment, const std::string &name) {
        assessment.found.unproven = true;
        assessment.addReason("part_missing",
                             printable(name) + " is not there, and all other saves of this run have it");
        conclude(assessment);
    });
    eachLacking(assessments, &looseStatesIn, [](SetAssessment &assessment, const std::string &name) {
        assessment.found.unproven = true;
        assessment.addReason("part_missing", printable(name) + " is not there, and all other saves of this run have "
                                                               "it: the order of the data begins anew");
        conclude(assessment);
    });
    eachLacking(assessments, &lightningMarkIn, [](SetAssessment &assessment, const std::string &name) {
        assessment.found.unproven = true;
        assessment.addReason("part_missing", printable(name) + " is not there, and all other saves of this run have "
                                                               "it: Lightning takes no directory without it");
        conclude(assessment);
    });
    const auto layers = [](const Member &member) { return namesIn(member, &isPipelineLayer); };
    eachLacking(assessments, layers, [](SetAssessment &assessment, const std::string &name) {
        assessment.found.unproven = true;
        assessment.addReason("part_missing", printable(name) + " is not there, and all other saves of this run have "
                                                               "it: DeepSpeed would end at its load");
        conclude(assessment);
    });
    const auto randomStates = [](const Member &member) { return namesIn(member, &isRandomState); };
    eachLacking(assessments, randomStates, [](SetAssessment &assessment, const std::string &name) {
        const auto told = [&](const Reason &reason) {
            return reason.code == "no_rng" && reason.text.find(name) != std::string::npos;
        };
        if (std::any_of(assessment.set.reasons.begin(), assessment.set.reasons.end(), told)) return;
        assessment.addReason("no_rng", printable(name) + " is not there, and all other saves of this run have it: "
                                                         "resumable with loss, its random numbers begin anew");
    });
}

}  // namespace rankdeck
