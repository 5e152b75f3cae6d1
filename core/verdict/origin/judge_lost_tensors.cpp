// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of lost tensors: one save lacks a layer, or its optimizer state, that all other saves of the run have. Each
// of its files is complete, so only the other saves show the loss: no training drops a tensor for a single save. A save
// with only weights gets another reason. Tensors that appear later (an average, the state of a layer that was frozen)
// are not in the first save.
#include "core/base/text.h"
#include "core/checkpoint/read/optimizer_names.h"
#include "core/checkpoint/read/weight_sample.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace rankdeck {
namespace {

using NamesIn = std::set<std::string_view>;

struct Save {
    const SetAssessment *assessment = nullptr;
    std::size_t rank = 0;
    std::int64_t position = 0;
    const TensorList *tensors = nullptr;
};

// Leaves out counters and random states, which may be absent from some saves.
NamesIn valuesIn(const TensorList &tensors)
{
    NamesIn names;
    for (const TensorInfo &tensor : tensors)
        if (isFloatType(tensor.type) &&
            std::any_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t dimension) { return dimension > 1; }))
            names.insert(tensor.name);
    return names;
}

// Weights alone have their own reason already.
bool mayBeWholeState(const SetAssessment &assessment)
{
    const CheckpointSet &set = assessment.set;
    return (set.verdict == Verdict::valid || set.verdict == Verdict::validUnproven) && !assessment.weightsOnly &&
           std::none_of(set.reasons.begin(), set.reasons.end(),
                        [](const Reason &reason) { return reason.code == "weights_only"; });
}

// If several ranks share one file, adds it once.
void addSaves(const SetAssessment &assessment, const auto &add)
{
    const Member *before = nullptr;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        const Part &part = assessment.parts[rank];
        if (!part.member || part.member == before || !part.evidence || part.evidence->tensors.empty()) continue;
        before = part.member;
        if (isExport(*part.evidence)) continue;
        add(Save{&assessment, rank, assessment.set.globalStep.value_or(assessment.set.epoch.value_or(0)),
                 &part.evidence->tensors});
    }
}

void tell(const Save &save, const std::string &first, std::size_t count)
{
    const SetAssessment &assessment = *save.assessment;
    const bool shared = assessment.sharedByRanks;
    const Message text =
        count > 1 ? message("%1 and %2 more tensors are missing here, but are present in all other saves of this run",
                            printable(first), grouped(std::int64_t(count) - 1))
                  : message("%1 is missing here, but is present in all other saves of this run", printable(first));
    assessment.blame("part_missing", shared ? text : message("rank %1: %2", save.rank, text),
                     shared ? -1 : static_cast<int>(save.rank));
}

// "model" of "model.norm.weight".
std::string_view groupOf(std::string_view name) { return name.substr(0, name.find('.')); }

// Tensors that may rightly begin after the first save.
bool mayBeginLater(std::string_view name, const NamesIn &first)
{
    return mentionsOptimizer(name) || std::none_of(first.begin(), first.end(),
                                                   [&](std::string_view own) { return groupOf(own) == groupOf(name); });
}

// Reports tensors that all other saves have. Skipped if this save has tensors that the others lack: then the model was
// changed.
void judgeSave(const Save &save, const NamesIn &own, const std::map<std::string_view, std::size_t> &savesWith,
               std::size_t saves, bool isFirst)
{
    std::string first;
    std::size_t lost = 0, shared = 0;
    for (const auto &[name, count] : savesWith) {
        const bool has = own.count(name) != 0;
        if (has && count == 1) return;
        shared += has ? 1 : 0;
        if (has || count + 1 != saves || (isFirst && mayBeginLater(name, own))) continue;
        if (lost++ == 0) first = name;
    }
    if (lost > 0 && shared > 0) tell(save, first, lost);
}

void judgeSaves(std::vector<Save> &saves)
{
    const bool alike = std::all_of(saves.begin(), saves.end(), [&](const Save &save) {
        return save.tensors->sameStructure(*saves.front().tensors);
    });
    if (saves.size() < 2 || alike) return;
    std::stable_sort(saves.begin(), saves.end(), [](const Save &a, const Save &b) { return a.position < b.position; });
    std::map<std::uint64_t, NamesIn> namesOf;  // by structure
    for (const Save &save : saves)
        if (const auto [at, added] = namesOf.try_emplace(save.tensors->structure()); added)
            at->second = valuesIn(*save.tensors);
    std::map<std::string_view, std::size_t> savesWith;
    for (const Save &save : saves)
        for (const std::string_view name : namesOf.at(save.tensors->structure())) ++savesWith[name];
    for (const Save &save : saves)
        judgeSave(save, namesOf.at(save.tensors->structure()), savesWith, saves.size(),
                  save.position == saves.front().position);
}

}  // namespace

void judgeLostTensors(const std::vector<SetAssessment> &assessments, const JudgeContext & /*context*/)
{
    using Key = std::tuple<std::string, CheckpointKind, std::size_t, std::size_t>;  // course, kind, ranks, rank
    std::map<Key, std::vector<Save>> runs;
    for (const SetAssessment &assessment : assessments)
        if (mayBeWholeState(assessment) && !assessment.parts.empty())
            addSaves(assessment, [&](Save save) {
                runs[{courseOf(assessment), assessment.set.kind, assessment.parts.size(), save.rank}].push_back(save);
            });
    for (auto &[run, saves] : runs) judgeSaves(saves);
}

}  // namespace rankdeck
