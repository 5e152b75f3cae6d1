// SPDX-License-Identifier: GPL-3.0-or-later
// Check of MindFormers' common.json. It does not name the run, but has the samples per step, the epoch and both step
// counts. After a resume with another number of samples, step_num counts on in steps of the new size. The optimizer's
// global_step keeps its unit (mindformers 1.5, trainer/utils.py: `step_scale`). Therefore a file with other samples and
// unchanged step counts is from another run.
#include "core/base/text.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck {
namespace {

struct CommonInfo {
    std::size_t set = 0;
    std::int64_t step = 0, ahead = 0, epoch = 0;  // ahead: of the optimizer's count
    std::int64_t samples = 0;
};

std::optional<CommonInfo> infoOf(const SetAssessment &assessment, std::size_t at)
{
    const auto &facts = assessment.set.facts;
    const auto numberOf = [&](const char *key) {
        const auto found = facts.find(key);
        return found == facts.end() ? std::nullopt : wholeValue(found->second);
    };
    const auto framework = facts.find("framework");
    if (!assessment.sharedByRanks || framework == facts.end() || framework->second != "mindformers")
        return std::nullopt;
    const auto step = numberOf("iteration"), counted = numberOf("optimizer_step"), epoch = numberOf("trained_epochs"),
               samples = numberOf("global_batch_size");
    constexpr std::int64_t most = 1'000'000'000'000;
    for (const auto &number : {step, counted, epoch, samples})
        if (!number || *number < 0 || *number > most) return std::nullopt;
    return CommonInfo{at, *step, *step - *counted, *epoch, *samples};
}

// True if all epochs have the same length. A difference of one is accepted, because a resume in the middle of an epoch
// may begin that epoch again.
bool areEpochsOfOneLength(const std::vector<CommonInfo> &all)
{
    double longest = 1e18, shortest = 0;  // steps
    for (const CommonInfo &info : all) {
        shortest = std::max(shortest, double(info.step) / double(info.epoch + 1));
        if (info.epoch > 2) longest = std::min(longest, double(info.step) / double(info.epoch - 2));
    }
    return shortest <= longest;
}

std::string oddity(const std::vector<CommonInfo> &all, std::size_t at)
{
    const CommonInfo &own = all[at];
    std::vector<CommonInfo> others = all;
    others.erase(others.begin() + std::ptrdiff_t(at));
    const auto areAll = [&](const auto &holds) { return std::all_of(others.begin(), others.end(), holds); };
    const CommonInfo &first = others.front();
    if (!areAll([&](const CommonInfo &info) { return info.samples == first.samples && info.ahead == first.ahead; }))
        return {};
    if (own.ahead != first.ahead) return {};
    if (own.samples != first.samples)
        return "a global_batch_size of " + grouped(own.samples) + ", but in all other saves it is " +
               grouped(first.samples) + ", although the steps are counted the same way";
    if (areEpochsOfOneLength(others) && !areEpochsOfOneLength(all))
        return "epoch " + grouped(own.epoch) + " at step " + grouped(own.step) +
               ", which is in a different epoch according to all other saves";
    return {};
}

}  // namespace

void judgeCommonInfo(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    std::map<std::pair<std::string, int>, std::vector<CommonInfo>> runs;  // course, attempt
    for (std::size_t i = 0; i < assessments.size(); ++i)
        if (isUsable(assessments[i]) && !assessments[i].parts.empty())
            if (const auto info = infoOf(assessments[i], i))
                runs[{courseOf(assessments[i]), assessments[i].set.attempt}].push_back(*info);
    for (const auto &[run, all] : runs) {
        std::vector<std::pair<std::size_t, std::string>> odd;
        for (std::size_t at = 0; at < all.size() && all.size() > 2; ++at)
            if (std::string text = oddity(all, at); !text.empty()) odd.emplace_back(all[at].set, std::move(text));
        if (odd.size() != 1) continue;  // nothing shows which one is wrong
        const SetAssessment &assessment = assessments[odd.front().first];
        assessment.blame(Verdict::validUnproven, "run_mismatch",
                         message("common.json has %1: it belongs to another run", odd.front().second));
    }
}

}  // namespace rankdeck
