// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs in one parent: exp_a and exp_b, version_0 and version_1, a copy in old/. The largest step may be of the older
// one. Times tell which run saved last; where they are of one minute they tell nothing.
#include "core/base/text.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <map>

namespace rankdeck {
namespace {

constexpr double sameTurn = 60;  // seconds

bool isOfPoint(std::string_view name)
{
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    std::string_view word = name.substr(0, digits);
    while (!word.empty() && std::string_view("_-=.").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    if (digits == name.size()) return false;
    if (word.empty()) return true;
    for (const std::string_view known :
         {"step", "iter", "iteration", "epoch", "checkpoint", "ckpt", "batch", "save", "ep", "-ba", "_ba"})
        if (word.ends_with(known)) return true;
    return false;
}

// Averages (ema/) and exports that lie beside the saves are no run: none goes on from them.
bool isOfNoRun(const SetAssessment &assessment)
{
    const auto &reasons = assessment.set.reasons;
    return std::any_of(reasons.begin(), reasons.end(),
                       [](const Reason &reason) { return reason.code == "weights_only"; });
}

}  // namespace

std::string runOf(const SetAssessment &assessment)
{
    for (const Part &part : assessment.parts) {
        const Member *member = part.member ? part.member : part.temporary;
        if (!member) continue;
        std::string run;  // global_step5/worker_# and global_step10/worker_# are of one
        for (const std::string &folder : split(member->series, '/'))
            if (!isOfPoint(folder) && folder != ".") run += (run.empty() ? "" : "/") + folder;
        return run;
    }
    return {};
}

void preferPresentRun(std::vector<SetAssessment> &assessments)
{
    std::map<std::string, WallTime> newest;
    for (const SetAssessment &assessment : assessments) {
        if (!assessment.set.time || isOfNoRun(assessment)) continue;
        const auto [at, added] = newest.emplace(runOf(assessment), *assessment.set.time);
        if (!added) at->second = std::max(at->second, *assessment.set.time);
    }
    if (newest.size() < 2) return;
    const auto present = std::max_element(newest.begin(), newest.end(),
                                          [](const auto &a, const auto &b) { return a.second < b.second; });
    const bool told = std::all_of(newest.begin(), newest.end(), [&](const auto &run) {
        return run.first == present->first || secondsBetween(run.second, present->second) > sameTurn;
    });
    for (SetAssessment &assessment : assessments) {
        const std::string run = runOf(assessment);
        if (!assessment.set.time || newest.count(run) == 0 || (told && run == present->first)) continue;
        const auto beside = present->first != run       ? present
                            : present == newest.begin() ? std::next(present)
                                                        : newest.begin();
        const std::string name = printable(baseName(run)), other = printable(baseName(beside->first));
        assessment.addReason("other_run", told ? "of another run than the newest files: " + name + ", newest " +
                                                     clockTime(newest.at(run)) + "; the present one is " + other
                                               : "of the run " + name + ", and there are others beside it, " + other +
                                                     " too: their times do not tell which is the present one");
    }
    if (!told) return;
    std::stable_partition(assessments.begin(), assessments.end(),
                          [&](const SetAssessment &assessment) { return runOf(assessment) == present->first; });
}

}  // namespace rankdeck
