// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/verdict/draft.h"

#include <algorithm>

namespace rankdeck {
namespace {

std::string rankText(std::size_t rank) { return "rank " + std::to_string(rank); }

// global_step 0 is "not counted" (MindSpore 2.0 with a constant learning rate), never a step.
std::optional<std::int64_t> valueOf(const Evidence &e, const std::string &key)
{
    const auto value = e.number(key);
    if (value && key == "global_step" && *value <= 0) return std::nullopt;
    return value;
}

struct Agreement {
    std::optional<std::int64_t> value = {};  // of most ranks
    std::size_t witness = 0;
    bool all = true;
};

using Sayings = std::map<std::int64_t, std::vector<std::size_t>>;

Sayings sayingsOf(const Draft &draft, const std::string &key)
{
    Sayings saying;
    for (std::size_t rank = 0; rank < draft.parts.size(); ++rank)
        if (const Part &part = draft.parts[rank]; part.evidence && part.evidence->complete == true)
            if (const auto value = valueOf(*part.evidence, key)) saying[*value].push_back(rank);
    return saying;
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

Agreement majority(const Draft &draft, const std::string &key)
{
    return majorityOf(sayingsOf(draft, key), std::nullopt);
}

// The ranks must say the same; those that do not say what most say are blamed.
Agreement agree(Draft &draft, const std::string &key, const std::string &code, std::optional<std::int64_t> hint)
{
    const Sayings saying = sayingsOf(draft, key);
    const Agreement out = majorityOf(saying, hint);
    for (const auto &[value, ranks] : saying) {
        if (value == *out.value) continue;
        for (const std::size_t rank : ranks) {
            draft.found.inconsistent = true;
            draft.blame(rank, MemberState::mismatch, code,
                        rankText(rank) + " says " + key + " " + grouped(value) + ", " + rankText(out.witness) +
                            " says " + grouped(*out.value),
                        key + " " + std::to_string(value));
        }
    }
    return out;
}

std::int64_t positiveOr(std::optional<std::int64_t> value, std::int64_t other)
{
    return value && *value > 0 ? *value : other;
}

// The name against the content, when all ranks agree on the content.
void compareWithName(Draft &draft, const Agreement &epoch, const Agreement &stepNum, std::int64_t perEpoch)
{
    const CheckpointSet &set = draft.set;
    const Part &witness = draft.parts[epoch.value ? epoch.witness : stepNum.witness];
    // MindFormers counts sinks, not epochs, in its names.
    const bool countsSinks = witness.member && witness.member->name.rank && set.kind == CheckpointKind::periodic;
    if (!set.epoch || !set.step || countsSinks) return;
    if (epoch.value && epoch.all && *epoch.value != *set.epoch) {
        draft.found.inconsistent = true;
        draft.say("epoch_mismatch",
                  "the name says epoch " + grouped(*set.epoch) + ", the content epoch_num " + grouped(*epoch.value));
    }
    // A breakpoint's step_num counts within the epoch, all others count on.
    if (!stepNum.value || !stepNum.all || set.kind == CheckpointKind::breakpoint) return;
    const bool impossible = *stepNum.value < *set.step;
    const bool offBeat = perEpoch > 0 && *stepNum.value > 0 && (*stepNum.value - *set.step) % perEpoch != 0;
    if (!impossible && !offBeat) return;
    draft.found.inconsistent = true;
    draft.say("step_mismatch", "the name says step " + grouped(*set.step) + " of epoch " + grouped(*set.epoch) +
                                   ", the content step_num " + grouped(*stepNum.value) +
                                   (perEpoch > 0 ? " at " + grouped(perEpoch) + " steps per epoch" : ""));
}

// PyTorch and its kin have one of these names; what the file's or directory's own name says must agree.
bool agreeOnTorchSteps(Draft &draft)
{
    bool any = false;
    // tf.train.Checkpoint numbers its saves: the number in such a name is no step.
    const Agreement saves = majority(draft, "save_counter");
    if (saves.value && saves.value == draft.set.globalStep) draft.set.globalStep = std::nullopt;
    const std::optional<std::int64_t> named = draft.loose ? std::nullopt : draft.set.globalStep;
    for (const char *key : {"global_step", "global_steps", "iteration"}) {
        const Agreement found =
            std::string(key) == "global_step" ? majority(draft, key) : agree(draft, key, "step_mismatch", named);
        if (!found.value) continue;
        any = true;
        if (named && found.all && *named != *found.value && draft.set.kind != CheckpointKind::ttp) {
            draft.found.inconsistent = true;
            draft.say("step_mismatch",
                      "the name says step " + grouped(*named) + ", the content " + key + " " + grouped(*found.value));
        }
        draft.set.globalStep = found.value;
    }
    return any;
}

void fillPoint(Draft &draft, const Agreement &epoch, const Agreement &stepNum, const Agreement &globalStep,
               std::int64_t perEpoch)
{
    CheckpointSet &set = draft.set;
    if (globalStep.value)
        set.globalStep = globalStep.value;
    else if (!set.globalStep && stepNum.value && set.attempt == 0 && set.kind != CheckpointKind::breakpoint &&
             *stepNum.value > 0)
        set.globalStep = stepNum.value;
    if (!set.epoch && epoch.value) {
        set.epoch = epoch.value;
        if (stepNum.value && *stepNum.value > 0 && perEpoch > 0) set.step = (*stepNum.value - 1) % perEpoch + 1;
    }
    if (!set.step && set.globalStep && perEpoch > 0) set.step = (*set.globalStep - 1) % perEpoch + 1;
}

}  // namespace

void judgeNumbers(Draft &draft, const JudgeContext &context)
{
    bool anyRead = false, allRead = true;
    std::int64_t batch = 0;
    for (std::size_t rank = 0; rank < draft.parts.size(); ++rank) {
        const Part &part = draft.parts[rank];
        const bool whole = part.evidence && part.evidence->complete == true;
        anyRead = anyRead || whole;
        allRead = allRead && whole;
        if (!whole) continue;
        batch = positiveOr(part.evidence->number("batch_num"), batch);
        const auto saved = part.evidence->number("cur_rank");
        if (!saved || *saved == std::int64_t(rank)) continue;
        draft.found.inconsistent = true;
        draft.blame(rank, MemberState::mismatch, "rank_mismatch",
                    rankText(rank) + " holds a file that rank " + grouped(*saved) + " saved",
                    "of rank " + std::to_string(*saved));
    }
    if (!anyRead) return;
    const std::int64_t told = context.expected.stepsPerEpoch;
    const std::int64_t perEpoch = batch > 0 ? batch : told;
    const Agreement epoch = agree(draft, "epoch_num", "epoch_mismatch", draft.set.epoch);
    const Agreement stepNum = agree(draft, "step_num", "step_mismatch", std::nullopt);
    const Agreement globalStep = agree(draft, "global_step", "step_mismatch", std::nullopt);
    const Agreement torchEpoch = agree(draft, "epoch", "epoch_mismatch", draft.set.epoch);
    const bool torchStep = agreeOnTorchSteps(draft);
    if (torchEpoch.value && !draft.set.epoch) draft.set.epoch = torchEpoch.value;
    if (epoch.value || stepNum.value) compareWithName(draft, epoch, stepNum, perEpoch);
    fillPoint(draft, epoch, stepNum, globalStep, perEpoch > 0 ? perEpoch : context.stepsPerEpoch);
    if (allRead && !epoch.value && !stepNum.value && !globalStep.value && !torchEpoch.value && !torchStep) {
        draft.found.unproven = true;
        draft.say("step_unproven", "no file says in its content at which step it was saved; only the names do");
    }
    for (const Part &part : draft.parts) {
        if (!part.attemptUncertain) continue;
        draft.found.unproven = true;
        draft.say("attempt_mixed",
                  "the ranks number their runs differently and the times do not tell which files belong together");
        break;
    }
    for (std::size_t rank = 0; rank < draft.parts.size() && !draft.everyRank; ++rank) {
        if (!draft.judged(rank) || draft.parts[rank].member->file.stat.kind == 'd' ||
            !isExport(*draft.parts[rank].evidence))
            continue;
        draft.found.unproven = true;
        draft.say("weights_only", exportText);
        break;
    }
    if (draft.weightsOnly) {
        draft.found.unproven = true;
        draft.say("weights_only", "saved for evaluation: it may lack what the training goes on with");
    }
    for (const Part &part : draft.parts) {
        if (draft.set.kind != CheckpointKind::graceful || !part.evidence ||
            part.evidence->meta.count("global_step_shape") == 0)
            continue;
        draft.say(
            "global_step_scalar",
            "global_step is a single Int64 in these files; MindSpore refuses to load them into a network with its "
            "optimizer unless the script drops that key: the periodic checkpoint of the same step has not got this");
        break;
    }
}

}  // namespace rankdeck
