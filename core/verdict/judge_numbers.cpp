// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <string_view>

namespace rankdeck {
namespace {

struct Agreement {
    std::optional<std::int64_t> value = {};  // value of most ranks
    std::size_t witness = 0;
    bool all = true;
};

using Sayings = std::map<std::int64_t, std::vector<std::size_t>>;  // value → ranks

// Numbers in the complete files of a set. One pass over the files collects them, because there are as many files as
// ranks.
struct AllTrackerContents {
    std::map<std::string, Sayings, std::less<>> byKey;
    std::vector<std::pair<std::size_t, std::int64_t>> savedBy;  // rank, and the rank that its file names
    std::vector<std::pair<std::size_t, std::int64_t>> writers;  // the same, from the "rank" of a plain script
    std::int64_t batch = 0;                                     // the last one found
    std::size_t whole = 0;                                      // number of files
    bool anyRead = false, allRead = true;
    [[nodiscard]] const Sayings &of(std::string_view key) const
    {
        static const Sayings none;
        const auto found = byKey.find(key);
        return found == byKey.end() ? none : found->second;
    }
};

bool isCounter(std::string_view key)
{
    for (const std::string_view known : {"epoch_num", "step_num", "global_step", "epoch", "global_steps", "iteration",
                                         "step", "optimizer_step", "save_counter"})
        if (key == known) return true;
    return false;
}

// Numbers in one file, and therefore in all ranks that share it.
struct OwnTrackerContent {
    std::vector<std::vector<std::size_t> *> with = {};  // lists of the ranks with the same value
    std::optional<std::int64_t> saver = {}, writer = {}, batch = {};
};

OwnTrackerContent sayingOf(const Meta &meta, AllTrackerContents &out)
{
    OwnTrackerContent own;
    for (const auto &[key, text] : meta) {
        const auto value = wholeValue(text);
        if (!value) continue;
        if (key == "cur_rank") own.saver = value;
        if (key == "saved_by") own.writer = value;
        if (key == "batch_num" && *value > 0) own.batch = value;
        // global_step 0 is "not counted" (MindSpore 2.0 with a constant learning rate), never a step.
        if (isCounter(key) && (key != "global_step" || *value > 0)) own.with.push_back(&out.byKey[key][*value]);
    }
    return own;
}

AllTrackerContents sayingsOf(const SetAssessment &assessment)
{
    AllTrackerContents out;
    OwnTrackerContent own;
    const Meta *before = nullptr;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Part &part = assessment.parts[rank];
        const bool whole = part.evidence && part.evidence->complete == true;
        out.anyRead = out.anyRead || whole;
        out.allRead = out.allRead && whole;
        if (!whole) continue;
        ++out.whole;
        if (!before || !before->shares(part.evidence->meta)) own = sayingOf(part.evidence->meta, out);
        before = &part.evidence->meta;
        for (std::vector<std::size_t> *ranks : own.with) ranks->push_back(rank);
        if (own.saver) out.savedBy.emplace_back(rank, *own.saver);
        if (own.writer) out.writers.emplace_back(rank, *own.writer);
        out.batch = own.batch.value_or(out.batch);
    }
    return out;
}

Agreement majorityOf(const Sayings &saying, std::optional<std::int64_t> hint)
{
    Agreement out;
    if (saying.empty()) return out;
    const auto better = [&](const auto &a, const auto &b) {
        if (a.second.size() != b.second.size()) return a.second.size() < b.second.size();
        return hint && b.first == *hint;
    };
    const auto most = std::max_element(saying.begin(), saying.end(), better);
    out.value = most->first;
    out.witness = most->second.front();
    out.all = saying.size() == 1;
    return out;
}

// The ranks must agree; the ranks that differ from the majority are blamed.
Agreement agree(const SetAssessment &assessment, const AllTrackerContents &all, const std::string &key, ReasonCode code,
                std::optional<std::int64_t> hint)
{
    const Sayings &saying = all.of(key);
    const Agreement out = majorityOf(saying, hint);
    for (const auto &[value, ranks] : saying) {
        if (value == *out.value) continue;
        for (const std::size_t rank : ranks) {
            assessment.blame(Verdict::inconsistent, rank, MemberState::mismatch, code,
                             message("%1 has %2 %3, but %4 has %5", rankText(rank), key, grouped(value),
                                     rankText(out.witness), grouped(*out.value)),
                             key + " " + std::to_string(value));
        }
    }
    return out;
}

// Compares the name with the content, if all ranks agree on the content.
void compareWithName(const SetAssessment &assessment, const SavePoint &point, const Agreement &epoch,
                     const Agreement &stepNum, std::int64_t perEpoch)
{
    const CheckpointKind kind = assessment.set.kind;
    const Part &witness = assessment.parts[epoch.value ? epoch.witness : stepNum.witness];
    // MindFormers counts sinks, not epochs, in its names.
    const bool countsSinks = witness.member && witness.member->name.rank && kind == CheckpointKind::periodic;
    if (!point.epoch || !point.step || countsSinks) return;
    if (assessment.epochIsContents && epoch.value && epoch.all) {
        assessment.blame("step_unproven",
                         message("the name has epoch %1, but the content has epoch_num %2: normal for the first save "
                                 "of a resumed run, or a renamed file. The next save of this run will show which",
                                 grouped(*point.epoch - assessment.epochsBefore), grouped(*epoch.value)));
    }
    if (epoch.value && epoch.all && *epoch.value != *point.epoch) {
        assessment.blame("epoch_mismatch", message("the name has epoch %1, but the content has epoch_num %2",
                                                   grouped(*point.epoch), grouped(*epoch.value)));
    }
    // The step_num of a breakpoint restarts in each epoch; in all other kinds it counts on.
    if (!stepNum.value || !stepNum.all || kind == CheckpointKind::breakpoint) return;
    const bool impossible = *stepNum.value < *point.step;
    const bool offBeat =
        perEpoch > 0 && *stepNum.value > 0 && (*stepNum.value - *point.step - assessment.stepsBefore) % perEpoch != 0;
    if (!impossible && !offBeat) return;
    const Message text = message("the name has step %1 of epoch %2, but the content has step_num %3",
                                 grouped(*point.step), grouped(*point.epoch), grouped(*stepNum.value));
    assessment.blame("step_mismatch",
                     perEpoch > 0 ? message("%1, with %2 steps per epoch", text, grouped(perEpoch)) : text);
}

// Files of PyTorch and related frameworks contain one of these keys. Its value must agree with the number in the name
// of the file or directory.
bool agreeOnTorchSteps(const SetAssessment &assessment, const AllTrackerContents &all, SavePoint &point)
{
    bool any = false;
    // tf.train.Checkpoint numbers its saves: the number in such a name is not a step.
    const Agreement saves = majorityOf(all.of("save_counter"), std::nullopt);
    if (saves.value && saves.value == point.globalStep) point.globalStep = std::nullopt;
    const std::optional<std::int64_t> named = assessment.stepIsGuess ? std::nullopt : point.globalStep;
    for (const char *key : {"global_step", "global_steps", "iteration"}) {
        const Agreement found = std::string(key) == "global_step" ? majorityOf(all.of(key), std::nullopt)
                                                                  : agree(assessment, all, key, "step_mismatch", named);
        if (!found.value) continue;
        any = true;
        if (named && found.all && *named != *found.value && assessment.set.kind != CheckpointKind::ttp) {
            assessment.blame("step_mismatch", message("the name has step %1, but the content has %2 %3",
                                                      grouped(*named), key, grouped(*found.value)));
        }
        point.globalStep = found.value;
    }
    if (any) return true;
    // A plain script's "step" may count within its epoch.
    const bool within = !all.of("epoch").empty() || point.epoch;
    const Agreement step = agree(assessment, all, "step", "step_mismatch", named);
    if (!step.value) return false;
    if (!within && named && step.all && *named != *step.value) {
        assessment.blame("step_mismatch", message("the name has step %1, but the content has step %2", grouped(*named),
                                                  grouped(*step.value)));
    }
    (within ? point.step : point.globalStep) = step.value;
    return true;
}

// A script's "rank" is either the rank's own number in each file, or 0 in all files. If any file contains its own rank,
// each file must.
void compareWriters(const SetAssessment &assessment, const AllTrackerContents &all)
{
    if (assessment.sharedByRanks || all.writers.size() < 2) return;
    const bool numbered = std::any_of(all.writers.begin(), all.writers.end(), [](const auto &writer) {
        return writer.second > 0 && writer.second == std::int64_t(writer.first);
    });
    for (const auto &[rank, writer] : all.writers) {
        if (writer == std::int64_t(rank)) continue;
        const std::string text = rankText(rank) + " has a file that rank " + grouped(writer) + " saved";
        if (!numbered) {
            assessment.blame("rank_unproven", message("%1, according to its content", text), static_cast<int>(rank));
            return;
        }
        assessment.blame(rank, MemberState::mismatch, "rank_mismatch", text, message("belongs to rank %1", writer));
    }
}

// If the optimizers of all ranks have counted exactly the step in the name, the name is right.
bool isCountedByOptimizers(const SetAssessment &assessment, const AllTrackerContents &all, const SavePoint &point)
{
    if (assessment.stepIsGuess || !point.globalStep) return false;
    const Sayings &counts = all.of("optimizer_step");
    return counts.size() == 1 && counts.begin()->first == *point.globalStep &&
           counts.begin()->second.size() == all.whole;
}

// Ranks that hold the same tensors must have taken the same number of optimizer steps.
void agreeOnOptimizers(const SetAssessment &assessment, const AllTrackerContents &all, const SavePoint &point)
{
    if (all.of("optimizer_step").size() < 2 || assessment.sharedByRanks) return;
    const TensorList *first = nullptr;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        if (!assessment.judged(rank)) continue;
        const TensorList &own = assessment.parts[rank].evidence->tensors;
        if (first && !first->sameStructure(own)) return;
        first = &own;
    }
    agree(assessment, all, "optimizer_step", "step_mismatch", assessment.stepIsGuess ? std::nullopt : point.globalStep);
}

void fillPoint(SavePoint &point, const CheckpointSet &set, const Agreement &epoch, const Agreement &stepNum,
               const Agreement &globalStep, std::int64_t perEpoch)
{
    if (globalStep.value)
        point.globalStep = globalStep.value;
    else if (!point.globalStep && stepNum.value && set.attempt == 0 && set.kind != CheckpointKind::breakpoint &&
             *stepNum.value > 0)
        point.globalStep = stepNum.value;
    if (!point.epoch && epoch.value) {
        point.epoch = epoch.value;
        if (stepNum.value && *stepNum.value > 0 && perEpoch > 0) point.step = (*stepNum.value - 1) % perEpoch + 1;
    }
    if (!point.step && point.globalStep && perEpoch > 0) point.step = (*point.globalStep - 1) % perEpoch + 1;
}

}  // namespace

void judgeNumbers(const SetAssessment &assessment, const JudgeContext &context)
{
    const AllTrackerContents all = sayingsOf(assessment);
    for (const auto &[rank, saver] : all.savedBy) {
        if (saver == std::int64_t(rank)) continue;
        assessment.blame(rank, MemberState::mismatch, "rank_mismatch",
                         message("%1 has a file that rank %2 saved", rankText(rank), grouped(saver)),
                         message("belongs to rank %1", saver));
    }
    if (!all.anyRead) return;
    compareWriters(assessment, all);
    const std::int64_t told = context.expected.stepsPerEpoch;
    const std::int64_t perEpoch = all.batch > 0 ? all.batch : told;
    const Agreement epoch = agree(assessment, all, "epoch_num", "epoch_mismatch", assessment.set.epoch);
    const Agreement stepNum = agree(assessment, all, "step_num", "step_mismatch", std::nullopt);
    const Agreement globalStep = agree(assessment, all, "global_step", "step_mismatch", std::nullopt);
    const Agreement torchEpoch = agree(assessment, all, "epoch", "epoch_mismatch", assessment.set.epoch);
    SavePoint point{assessment.set.epoch, assessment.set.step, assessment.set.globalStep};
    const bool torchStep = agreeOnTorchSteps(assessment, all, point);
    agreeOnOptimizers(assessment, all, point);
    if (torchEpoch.value && !point.epoch) point.epoch = torchEpoch.value;
    if (epoch.value || stepNum.value) compareWithName(assessment, point, epoch, stepNum, perEpoch);
    fillPoint(point, assessment.set, epoch, stepNum, globalStep, perEpoch > 0 ? perEpoch : context.stepsPerEpoch);
    assessment.findings.point = point;
    if (all.allRead && !epoch.value && !stepNum.value && !globalStep.value && !torchEpoch.value && !torchStep &&
        !isCountedByOptimizers(assessment, all, point)) {
        assessment.blame("step_unproven",
                         message("only the file names show the step; no file records it in its content"));
    }
    for (const Part &part : assessment.parts) {
        if (!part.attemptUncertain) continue;
        assessment.blame(
            Verdict::validUnproven, "attempt_mixed",
            message(
                "the ranks number their runs differently, and the file times do not show which files belong together"));
        break;
    }
    for (std::size_t rank = 0; rank < assessment.parts.size() && !assessment.sharedByRanks; ++rank) {
        if (!assessment.judged(rank) || !isExport(*assessment.parts[rank].evidence) ||
            assessment.parts[rank].member->file.stat.kind == 'd')
            continue;
        assessment.blame("weights_only", exportText).about = static_cast<int>(rank);
        break;
    }
    if (assessment.weightsOnly) {
        assessment.blame("weights_only",
                         message("saved for evaluation: the training may be unable to continue from it"));
    }
    for (const Part &part : assessment.parts) {
        if (assessment.set.kind != CheckpointKind::graceful) break;
        if (!part.evidence || part.evidence->meta.count("global_step_shape") == 0) continue;
        assessment.blame(
            "global_step_scalar",
            message(
                "global_step is a single Int64 in these files; MindSpore refuses to load them into a network with its "
                "optimizer unless the script drops that key. The periodic checkpoint of the same step does not have "
                "it"));
        break;
    }
}

}  // namespace rankdeck
