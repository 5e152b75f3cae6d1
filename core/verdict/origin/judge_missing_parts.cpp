// SPDX-License-Identifier: GPL-3.0-or-later
// Accelerate loads a file for each object that the script has registered, and ends where one is not there. Nothing in a
// checkpoint says how many there are: the other saves of the run do.
#include "core/base/text.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

bool isRegistered(std::string_view name)
{
    for (const std::string_view stem : {"scheduler", "sampler", "dl_state_dict", "optimizer", "custom_checkpoint"})
        if (name.starts_with(stem) && (name.ends_with(".bin") || name.ends_with(".pkl"))) return true;
    return name == "scaler.pt";
}

// By their names; empty: not one of Accelerate's.
std::set<std::string> registeredIn(const SetAssessment &assessment)
{
    const Member *member = assessment.parts.empty() ? nullptr : assessment.parts.front().member;
    if (!member || !assessment.sharedByRanks || member->parts.empty()) return {};
    std::set<std::string> names;
    bool own = false;
    for (const FileEntry &part : member->parts) {
        if (dirName(part.path) != member->file.path) continue;
        const std::string name = baseName(part.path);
        own = own || name.starts_with("random_states_") || name == "optimizer.bin";
        if (isRegistered(name)) names.insert(name);
    }
    return own ? names : std::set<std::string>{};
}

}  // namespace

void judgeMissingParts(std::vector<SetAssessment> &assessments)
{
    std::map<std::string, std::vector<std::size_t>> runs;
    std::map<std::pair<std::string, std::string>, std::size_t> savesWith;  // series and name
    std::vector<std::set<std::string>> names;
    for (std::size_t i = 0; i < assessments.size(); ++i) {
        names.push_back(registeredIn(assessments[i]));
        if (names.back().empty()) continue;
        const std::string &series = assessments[i].parts.front().member->series;
        runs[series].push_back(i);
        for (const std::string &name : names.back()) ++savesWith[{series, name}];
    }
    for (const auto &[at, count] : savesWith) {
        const std::vector<std::size_t> &saves = runs[at.first];
        if (saves.size() < 2 || count + 1 != saves.size()) continue;  // in all but one
        const auto lacking = std::find_if(saves.begin(), saves.end(),
                                          [&, &name = at.second](std::size_t i) { return names[i].count(name) == 0; });
        if (lacking == saves.end()) continue;
        SetAssessment &assessment = assessments[*lacking];
        assessment.found.unproven = true;
        assessment.addReason("part_missing", printable(at.second) + " is not there, and all other saves of this run "
                                                                    "have it: Accelerate would end at its load");
        conclude(assessment);
    }
}

}  // namespace rankdeck
