// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/verdict/draft.h"

#include <algorithm>
#include <string_view>

namespace rankdeck {
namespace {

std::string rankText(std::size_t rank) { return "rank " + std::to_string(rank); }

struct Agreement {
    std::optional<std::int64_t> value = {};  // of most ranks
    std::size_t witness = 0;
    bool all = true;
};

using Sayings = std::map<std::int64_t, std::vector<std::size_t>>;  // value → ranks

// What the whole files of a set say, gathered in one pass over them: there are as many as ranks.
struct AllSayings {
    std::map<std::string, Sayings, std::less<>> byKey;
    std::vector<std::pair<std::size_t, std::int64_t>> savedBy;  // rank, and the rank that its file names
    std::int64_t batch = 0;                                     // the last one that was said
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
    for (const std::string_view known :
         {"epoch_num", "step_num", "global_step", "epoch", "global_steps", "iteration", "save_counter"})
        if (key == known) return true;
    return false;
}

// What one file says, and so all that share it.
struct OwnSaying {
    std::vector<std::vector<std::size_t> *> with = {};  // lists of the ranks that say the same
    std::optional<std::int64_t> saver = {}, batch = {};
};

OwnSaying sayingOf(const Meta &meta, AllSayings &out)
{
    OwnSaying own;
    for (const auto &[key, text] : meta) {
        const auto value = wholeValue(text);
        if (!value) continue;
        if (key == "cur_rank") own.saver = value;
        if (key == "batch_num" && *value > 0) own.batch = value;
        // global_step 0 is "not counted" (MindSpore 2.0 with a constant learning rate), never a step.
        if (isCounter(key) && (key != "global_step" || *value > 0)) own.with.push_back(&out.byKey[key][*value]);
    }
    return own;
}

AllSayings sayingsOf(const Draft &draft)
{
    AllSayings out;
    OwnSaying own;
    const Meta *before = nullptr;
    for (std::size_t rank = 0; rank < draft.parts.size(); ++rank) {
        const Part &part = draft.parts[rank];
        const bool whole = part.evidence && part.evidence->complete == true;
        out.anyRead = out.anyRead || whole;
        out.allRead = out.allRead && whole;
        if (!whole) continue;
        if (!before || !before->shares(part.evidence->meta)) own = sayingOf(part.evidence->meta, out);
        before = &part.evidence->meta;
        for (std::vector<std::size_t> *ranks : own.with) ranks->push_back(rank);
        if (own.saver) out.savedBy.emplace_back(rank, *own.saver);
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

// The ranks must say the same; those that do not say what most say are blamed.
Agreement agree(Draft &draft, const AllSayings &all, const std::string &key, const std::string &code,
                std::optional<std::int64_t> hint)
{
    const Sayings &saying = all.of(key);
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
bool agreeOnTorchSteps(Draft &draft, const AllSayings &all)
{
    bool any = false;
    // tf.train.Checkpoint numbers its saves: the number in such a name is no step.
    const Agreement saves = majorityOf(all.of("save_counter"), std::nullopt);
    if (saves.value && saves.value == draft.set.globalStep) draft.set.globalStep = std::nullopt;
    const std::optional<std::int64_t> named = draft.loose ? std::nullopt : draft.set.globalStep;
    for (const char *key : {"global_step", "global_steps", "iteration"}) {
        const Agreement found = std::string(key) == "global_step" ? majorityOf(all.of(key), std::nullopt)
                                                                  : agree(draft, all, key, "step_mismatch", named);
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
    const AllSayings all = sayingsOf(draft);
    for (const auto &[rank, saver] : all.savedBy) {
        if (saver == std::int64_t(rank)) continue;
        draft.found.inconsistent = true;
        draft.blame(rank, MemberState::mismatch, "rank_mismatch",
                    rankText(rank) + " holds a file that rank " + grouped(saver) + " saved",
                    "of rank " + std::to_string(saver));
    }
    if (!all.anyRead) return;
    const std::int64_t told = context.expected.stepsPerEpoch;
    const std::int64_t perEpoch = all.batch > 0 ? all.batch : told;
    const Agreement epoch = agree(draft, all, "epoch_num", "epoch_mismatch", draft.set.epoch);
    const Agreement stepNum = agree(draft, all, "step_num", "step_mismatch", std::nullopt);
    const Agreement globalStep = agree(draft, all, "global_step", "step_mismatch", std::nullopt);
    const Agreement torchEpoch = agree(draft, all, "epoch", "epoch_mismatch", draft.set.epoch);
    const bool torchStep = agreeOnTorchSteps(draft, all);
    if (torchEpoch.value && !draft.set.epoch) draft.set.epoch = torchEpoch.value;
    if (epoch.value || stepNum.value) compareWithName(draft, epoch, stepNum, perEpoch);
    fillPoint(draft, epoch, stepNum, globalStep, perEpoch > 0 ? perEpoch : context.stepsPerEpoch);
    if (all.allRead && !epoch.value && !stepNum.value && !globalStep.value && !torchEpoch.value && !torchStep) {
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
        if (!draft.judged(rank) || !isExport(*draft.parts[rank].evidence) ||
            draft.parts[rank].member->file.stat.kind == 'd')
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
        if (draft.set.kind != CheckpointKind::graceful) break;
        if (!part.evidence || part.evidence->meta.count("global_step_shape") == 0) continue;
        draft.say(
            "global_step_scalar",
            "global_step is a single Int64 in these files; MindSpore refuses to load them into a network with its "
            "optimizer unless the script drops that key: the periodic checkpoint of the same step has not got this");
        break;
    }
}

}  // namespace rankdeck
