// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/set_assessment.h"

#include <algorithm>

namespace rankdeck {
namespace {

std::vector<std::size_t> saversOf(const SetAssessment &assessment)
{
    std::vector<std::size_t> savers;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank)
        if (assessment.parts[rank].member || assessment.parts[rank].temporary) savers.push_back(rank);
    return savers;
}

// Decided by the names, because files of incomplete sets are read only on request.
bool isTorch(const Part &part)
{
    if (!part.member) return true;
    const std::string &path = part.member->file.path;
    return path.ends_with(".pt") || path.ends_with(".pth") || path.ends_with(".tar");
}

// False if a rank was not listed since the newest file: that rank may also save.
bool areAllListed(const std::vector<SetAssessment> &assessments, const Inventory &inventory)
{
    if (inventory.stillChanging || !inventory.unlisted.empty()) return false;
    const auto oldest = std::min_element(inventory.listed.begin(), inventory.listed.end(),
                                         [](const auto &a, const auto &b) { return a.second.asOf < b.second.asOf; });
    if (oldest == inventory.listed.end()) return true;
    const auto isLater = [&](const Part &part) { return part.member && savedAt(*part.member) > oldest->second.asOf; };
    return std::none_of(assessments.begin(), assessments.end(), [&](const SetAssessment &assessment) {
        return std::any_of(assessment.parts.begin(), assessment.parts.end(), isLater);
    });
}

// For savers 0, d, 2d … of world ranks: returns d, if one file serves several ranks; 0: no such order.
std::size_t distanceOf(const std::vector<std::size_t> &savers, std::size_t world)
{
    if (savers.empty() || savers.front() != 0 || savers.size() == world || world % savers.size() != 0) return 0;
    const std::size_t distance = world / savers.size();
    for (std::size_t i = 0; i < savers.size(); ++i)
        if (savers[i] != i * distance) return 0;
    return distance;
}

}  // namespace

void guessSavers(const std::vector<SetAssessment> &assessments, const Inventory &inventory, Expectation &expected)
{
    const bool known = !expected.replicaGroups.empty() || expected.savedByFew || !expected.completeBefore.empty();
    if (known || (expected.worldSizeFrom != "job" && expected.worldSizeFrom != "option")) return;
    std::vector<std::size_t> savers;
    std::size_t generations = 0, world = 0;
    for (const SetAssessment &assessment : assessments) {
        const bool all = std::all_of(assessment.parts.begin(), assessment.parts.end(), isTorch);
        if (assessment.sharedByRanks || !all) return;
        const auto own = saversOf(assessment);
        if (generations > 0 && (own != savers || assessment.parts.size() != world)) return;
        savers = own;
        world = assessment.parts.size();
        ++generations;
    }
    const std::size_t distance = distanceOf(savers, world);
    if (generations < 2 || distance == 0 || !areAllListed(assessments, inventory)) return;
    for (std::size_t first = 0; first < world; first += distance) {
        std::vector<int> group(distance);
        for (std::size_t i = 0; i < distance; ++i) group[i] = static_cast<int>(first + i);
        expected.replicaGroups.push_back(std::move(group));
    }
    expected.savedByFew = true;
    expected.replicaSource =
        "none of " + std::to_string(generations) + " saves has files from ranks other than " +
        (savers.size() == 1 ? "rank 0: it may save for all ranks"
                            : "every " + std::to_string(distance) + "th rank: each may save for its node") +
        ". If the script saves like this, set checkpoints.saved_by in the job file";
}

}  // namespace rankdeck
