// SPDX-License-Identifier: GPL-3.0-or-later
// Evidence that each rank's file is of this rank, this run and this point: a file is not VALID only because it exists.
#include "core/base/text.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <cmath>

namespace rankdeck {
namespace {

std::optional<std::int64_t> timeOf(const SetAssessment &assessment, std::size_t rank)
{
    const Part &part = assessment.parts[rank];
    if (!part.member || part.member->file.stat.mtimeNs < threshold::noClock) return std::nullopt;
    return part.member->file.stat.mtimeNs;
}

// The time at which most ranks saved; nullopt if fewer than three ranks saved, or if their times are far apart.
std::optional<std::int64_t> usualTime(const SetAssessment &assessment)
{
    std::vector<std::int64_t> times;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank)
        if (const auto time = timeOf(assessment, rank)) times.push_back(*time);
    if (times.size() < 3) return std::nullopt;
    std::sort(times.begin(), times.end());
    const std::int64_t usual = times[times.size() / 2];
    const auto near = std::count_if(times.begin(), times.end(), [&](std::int64_t time) {
        return std::abs(double(time) - double(usual)) < double(threshold::wrongClock);
    });
    return 3 * std::size_t(near) >= 2 * times.size() ? std::optional(usual) : std::nullopt;
}

void judgeDelays(const SetAssessment &assessment, const JudgeContext &context)
{
    const auto usual = usualTime(assessment);
    if (!usual) return;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const auto time = timeOf(assessment, rank);
        if (!time || !assessment.judged(rank)) continue;
        const double behind = double(*usual - *time) / 1e9;
        if (behind < threshold::seconds(threshold::noSave)) continue;
        const auto &all = context.delays.at(rank);
        const auto alike = std::count_if(all.begin(), all.end(), [&](double delay) {
            return std::abs(delay + behind) < threshold::seconds(threshold::wrongClock);
        });
        if (alike > 1) continue;
        assessment.blame(
            "times_apart",
            message(
                "%1 has a file that is %2 hours older than the other ranks' files: left by an earlier run, or a copy",
                rankText(rank), grouped(std::int64_t(behind / 3600))),
            static_cast<int>(rank));
    }
}

void judgeHalf(const SetAssessment &assessment, std::size_t rank)
{
    const Part &part = assessment.parts[rank];
    const auto holds = part.evidence->meta.find("holds");
    if (part.member->file.stat.kind == 'd' || holds == part.evidence->meta.end()) return;
    const bool optimizer = holds->second == "optimizer";
    if (!optimizer && holds->second != "counters") return;
    assessment.blame(rank, MemberState::missing, "weights_missing",
                     optimizer ? message("%1 has an optimizer state but no weights", rankText(rank))
                               : message("%1 has counters but no tensors", rankText(rank)),
                     message("no weights"));
}

}  // namespace

std::map<std::size_t, std::vector<double>> delaysOf(const std::vector<SetAssessment> &assessments)
{
    std::map<std::size_t, std::vector<double>> out;
    for (const SetAssessment &assessment : assessments) {
        if (assessment.sharedByRanks) continue;
        const auto usual = usualTime(assessment);
        for (std::size_t rank = 0; usual && rank < assessment.parts.size(); ++rank)
            if (const auto time = timeOf(assessment, rank)) out[rank].push_back(double(*time - *usual) / 1e9);
    }
    return out;
}

void judgeOrigin(const SetAssessment &assessment, const JudgeContext &context)
{
    bool guess = false;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Part &part = assessment.parts[rank];
        if (!part.member) continue;
        guess = guess || part.member->rankIsGuess;
        if (part.rival && !assessment.sharedByRanks) {
            assessment.blame("two_files",
                             message("%1 has two files for this step: %2 (used because it is newer) and %3",
                                     rankText(rank), printable(part.member->file.path),
                                     printable(part.rival->file.path)),
                             static_cast<int>(rank));
        }
        if (assessment.judged(rank)) judgeHalf(assessment, rank);
        const auto scale = part.evidence->meta.find("loss_scale");
        if (scale != part.evidence->meta.end() && (scale->second == "0" || scale->second == "0.0"))
            assessment.blame("loss_scale_zero",
                             message("%1: the loss scale is 0, so every gradient was overflowing", rankText(rank)),
                             static_cast<int>(rank));
    }
    if (guess && context.expected.worldSize != 1) {
        assessment.blame("rank_unproven", message("ranks were guessed from folder numbers, which may count something "
                                                  "else or start at 1; nothing in the files confirms them"));
    }
    if (!assessment.sharedByRanks) judgeDelays(assessment, context);
}

}  // namespace rankdeck
