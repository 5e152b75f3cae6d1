// SPDX-License-Identifier: GPL-3.0-or-later
// Names of resumed MindSpore runs. MindSpore names its files by the epochs of the process. If a script resumes from a
// checkpoint and appends epoch_num and step_num, these count on, while the names begin at epoch 1 again. In that case
// the content has the true step.
#include "core/base/text.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>
#include <compare>
#include <set>
#include <tuple>

namespace rankdeck {
namespace {

struct Run {
    std::string series = {};
    int attempt = 0;
    std::string prefix = {};
    auto operator<=>(const Run &) const = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
};

// How far the content is ahead of the name.
struct Ahead {
    std::int64_t epochs = 0;
    std::int64_t steps = 0;                           // within an epoch: the run began in the middle of one
    auto operator<=>(const Ahead &) const = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
};

std::optional<Run> runWithPoints(const SetAssessment &assessment)
{
    const CheckpointSet &set = assessment.set;
    const bool counts = set.kind == CheckpointKind::periodic || set.kind == CheckpointKind::breakpoint;
    if (!counts || !set.epoch || !set.step || assessment.sharedByRanks) return std::nullopt;
    for (const Part &part : assessment.parts) {
        if (!part.member) continue;
        if (part.rankInName) return std::nullopt;  // MindFormers counts sinks there
        return Run{part.member->series, set.attempt, assessment.prefix};
    }
    return std::nullopt;
}

// Taken from the first complete file of the set; another rule checks whether the others agree.
std::optional<Ahead> aheadOf(const SetAssessment &assessment, std::int64_t perEpoch)
{
    const CheckpointSet &set = assessment.set;
    for (const Part &part : assessment.parts) {
        if (!part.evidence || part.evidence->complete != true) continue;
        const auto epoch = part.evidence->number("epoch_num"), stepNum = part.evidence->number("step_num");
        if (!epoch || !stepNum || *stepNum <= 0) return std::nullopt;
        Ahead ahead{*epoch - *set.epoch, 0};
        // A breakpoint counts its steps within the epoch.
        if (perEpoch > 0 && set.kind == CheckpointKind::periodic)
            ahead.steps = ((*stepNum - *set.step) % perEpoch + perEpoch) % perEpoch;
        return ahead;
    }
    return std::nullopt;
}

// True if the earlier epochs in the content have a whole number of steps each: perEpoch, if it is known.
bool fitsItself(const SetAssessment &assessment, std::int64_t perEpoch)
{
    for (const Part &part : assessment.parts) {
        if (!part.evidence || part.evidence->complete != true) continue;
        const auto epoch = part.evidence->number("epoch_num"), stepNum = part.evidence->number("step_num");
        if (!epoch || !stepNum || *epoch < 2) return false;
        const std::int64_t before = *stepNum - *assessment.set.step, each = before / (*epoch - 1);
        return before > 0 && before % (*epoch - 1) == 0 && each >= *assessment.set.step &&
               (perEpoch <= 0 || each == perEpoch);
    }
    return false;
}

using Points = std::set<std::pair<std::int64_t, std::int64_t>>;
using Named = std::map<Run, Points>;

// True if an earlier attempt reached the epoch from which this run reports that it continued.
bool wentOnFrom(const Run &run, const Ahead &ahead, const Named &named, const std::map<Run, Ahead> &known)
{
    return std::any_of(named.begin(), named.end(), [&](const auto &of) {
        const auto &[other, points] = of;
        if (other.series != run.series || other.prefix != run.prefix || other.attempt >= run.attempt) return false;
        const auto before = known.find(other);
        const std::int64_t added = before == known.end() ? 0 : before->second.epochs;
        return std::any_of(points.begin(), points.end(),
                           [&](const auto &point) { return point.first + added == ahead.epochs; });
    });
}

// A single file whose content is ahead of its name may have been renamed. The difference is accepted if two files of
// one run have the same one, or if the run continues exactly where an earlier attempt ended.
std::map<Run, Ahead> findAhead(const std::map<Run, std::map<Ahead, Points>> &said, const Named &named)
{
    std::map<Run, Ahead> known;
    for (const auto &[run, votes] : said) {  // earlier attempts first
        const auto most = std::max_element(
            votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
        const std::size_t count = most->second.size();
        const bool tie = std::count_if(votes.begin(), votes.end(),
                                       [&](const auto &vote) { return vote.second.size() == count; }) > 1;
        const Ahead &ahead = most->first;
        if (tie || ahead.epochs <= 0) continue;
        if (count > 1 || (ahead.steps == 0 && wentOnFrom(run, ahead, named, known))) known[run] = ahead;
    }
    return known;
}

// True for the only save of a run whose other attempts are in other directories: there is nothing to compare it with.
bool isOnlySave(const Run &run, const Named &named)
{
    const auto own = named.find(run);
    return own != named.end() && own->second.size() == 1 &&
           std::none_of(named.begin(), named.end(), [&](const auto &of) {
               return of.first != run && of.first.series == run.series && of.first.prefix == run.prefix;
           });
}

void carryOn(SetAssessment &assessment, const Ahead &ahead)
{
    assessment.epochsBefore = ahead.epochs;
    assessment.stepsBefore = ahead.steps;
    *assessment.set.epoch += ahead.epochs;
}

}  // namespace

std::vector<std::string> continueNames(std::vector<SetAssessment> &assessments, std::int64_t perEpoch)
{
    std::map<Run, std::map<Ahead, Points>> said;
    Named named;
    for (const SetAssessment &assessment : assessments) {
        const auto run = runWithPoints(assessment);
        if (!run) continue;
        const std::pair point{*assessment.set.epoch, *assessment.set.step};
        named[*run].insert(point);
        const auto ahead = aheadOf(assessment, perEpoch);
        if (ahead && assessment.set.kind == CheckpointKind::periodic) said[*run][*ahead].insert(point);
    }
    const std::map<Run, Ahead> known = findAhead(said, named);
    for (SetAssessment &assessment : assessments) {
        const auto run = runWithPoints(assessment);
        if (!run) continue;
        const auto own = aheadOf(assessment, perEpoch);
        if (const auto found = known.find(*run); found != known.end()) {
            // A set with another difference is judged by its own name.
            if (!own || own->epochs == found->second.epochs) carryOn(assessment, found->second);
        } else if (own && own->epochs > 0 && assessment.set.kind == CheckpointKind::periodic &&
                   isOnlySave(*run, named) && fitsItself(assessment, perEpoch)) {
            assessment.epochIsContents = true;
            carryOn(assessment, *own);
        }
    }
    std::vector<std::string> notes;
    for (const auto &[run, ahead] : known)
        notes.push_back("attempt " + std::to_string(run.attempt) +
                        " names its files from epoch 1 again, but continues to count inside them: " +
                        grouped(ahead.epochs) + (ahead.epochs == 1 ? " epoch is added" : " epochs are added"));
    return notes;
}

}  // namespace rankdeck
