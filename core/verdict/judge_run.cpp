// SPDX-License-Identifier: GPL-3.0-or-later
// One run wrote all files of a set, and ranks that hold the same parameters hold the same values.
#include "core/base/text.h"
#include "core/checkpoint/thresholds.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace rankdeck {
namespace {

// True for values that are equal in the files of all ranks of one run: parallel degrees, for example, but not ranks and
// paths.
bool isOfTheRun(const std::string &key)
{
    if (key.compare(0, 4, "run.") == 0) return true;
    for (const std::string_view known :
         {"arch", "num_layers", "hidden_size", "num_attention_heads", "seq_length", "global_batch_size", "world_size",
          "tensor_model_parallel_size", "pipeline_model_parallel_size", "expert_model_parallel_size", "ds_version",
          "pytorch-lightning_version", "checkpoint_version"})
        if (key == known) return true;
    return false;
}

ReasonCode codeFor(const std::string &key)
{
    if (key == "world_size") return "world_size_mismatch";
    const bool degree = key.size() > 14 && key.compare(key.size() - 14, 14, "_parallel_size") == 0;
    return degree ? ReasonCode("degrees_mismatch") : ReasonCode("run_mismatch");
}

void compareRuns(const SetAssessment &assessment)
{
    std::map<std::string, std::map<std::string, std::vector<std::size_t>>> sayings;  // key → value → ranks
    std::vector<std::vector<std::size_t> *> own;  // those of these lists that contain this rank
    const Meta *before = nullptr;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        if (!assessment.judged(rank)) continue;
        const Meta &meta = assessment.parts[rank].evidence->meta;
        if (!before || !before->shares(meta)) {
            own.clear();
            for (const auto &[key, value] : meta)
                if (isOfTheRun(key)) own.push_back(&sayings[key][value]);
        }
        before = &meta;
        for (std::vector<std::size_t> *ranks : own) ranks->push_back(rank);
    }
    for (const auto &[key, values] : sayings) {
        if (values.size() < 2) continue;
        const auto most = std::max_element(values.begin(), values.end(), [](const auto &a, const auto &b) {
            return a.second.size() < b.second.size();
        });
        for (const auto &[value, ranks] : values) {
            if (value == most->first) continue;
            for (const std::size_t rank : ranks) {
                assessment.blame(rank, MemberState::mismatch, codeFor(key),
                                 message("%1 has %2 %3, but %4 has %5: the files come from two runs", rankText(rank),
                                         printable(key), printable(value), rankText(most->second.front()),
                                         printable(most->first)),
                                 message("from another run"));
            }
        }
    }
}

// Values that healthy replicas need not share: counters and statistics of their own batches, random states, and
// optimizer states, which ZeRO splits.
bool mayDiffer(const TensorInfo &tensor)
{
    for (const std::string_view part : {"running_mean", "running_var", "num_batches_tracked", "moving_mean",
                                        "moving_variance", "rng", "optim", "exp_avg", "moment"})
        if (contains(tensor.name, part)) return true;
    if (!contains(tensor.type, "float")) return true;
    std::int64_t values = 1;
    for (const std::int64_t dim : tensor.shape) values = dim > 0 && values < 2 ? values * dim : values;
    return values < 2;  // a best accuracy, a loss
}

bool comparable(const SetAssessment &assessment, std::size_t a, std::size_t b)
{
    if (!assessment.judged(a) || !assessment.judged(b)) return false;
    const Evidence &x = *assessment.parts[a].evidence, &y = *assessment.parts[b].evidence;
    return x.checksums && y.checksums && x.checksums->size() == x.tensors.size() &&
           y.checksums->size() == y.tensors.size() && x.tensors.sameStructure(y.tensors);
}

struct Difference {
    std::size_t tensors = 0;  // number of tensors that the replicas share
    std::size_t differing = 0;
    std::size_t first = 0;
};

Difference between(const Evidence &a, const Evidence &b)
{
    Difference out;
    for (std::size_t i = 0; i < a.tensors.size(); ++i) {
        if (mayDiffer(a.tensors[i])) continue;
        ++out.tensors;
        if ((*a.checksums)[i] == (*b.checksums)[i]) continue;
        if (out.differing++ == 0) out.first = i;
    }
    return out;
}

std::string crcText(std::uint32_t value)
{
    char text[16];
    std::snprintf(text, sizeof text, "%08x", value);
    return text;
}

std::string describe(const Evidence &a, const Evidence &b, const Difference &d, std::size_t rank, std::size_t other)
{
    return rankText(rank) + " and " + rankText(other) + " have different values in '" +
           printable(a.tensors[d.first].name) + "' (CRC-32 " + crcText((*a.checksums)[d.first]) + " and " +
           crcText((*b.checksums)[d.first]) + ")" +
           (d.differing > 1 ? " and " + grouped(std::int64_t(d.differing) - 1) + " more tensors" : std::string());
}

// The rank whose values most of the group share.
std::size_t referenceOf(const SetAssessment &assessment, const std::vector<std::size_t> &ranks)
{
    std::size_t best = ranks.front(), most = 0;
    const std::size_t candidates = std::min<std::size_t>(ranks.size(), 8);
    for (std::size_t i = 0; i < candidates; ++i) {
        const auto same = static_cast<std::size_t>(std::count_if(ranks.begin(), ranks.end(), [&](std::size_t r) {
            return comparable(assessment, ranks[i], r) &&
                   between(*assessment.parts[ranks[i]].evidence, *assessment.parts[r].evidence).differing == 0;
        }));
        if (same > most) {
            most = same;
            best = ranks[i];
        }
    }
    return best;
}

// Ranks that are proven to hold the same parameters.
void compareGroup(const SetAssessment &assessment, const std::vector<int> &group)
{
    std::vector<std::size_t> ranks;
    for (const int rank : group)
        if (rank >= 0 && std::size_t(rank) < assessment.parts.size() && assessment.judged(std::size_t(rank)))
            ranks.push_back(std::size_t(rank));
    if (ranks.size() < 2) return;
    const std::size_t reference = referenceOf(assessment, ranks);
    for (const std::size_t rank : ranks) {
        if (rank == reference || !comparable(assessment, rank, reference)) continue;
        const Evidence &a = *assessment.parts[rank].evidence, &b = *assessment.parts[reference].evidence;
        const Difference d = between(a, b);
        if (d.differing == 0) continue;
        assessment.blame(rank, MemberState::mismatch, "replica_mismatch",
                         message("%1, although they are data-parallel replicas", describe(a, b, d, rank, reference)),
                         message("different values"));
    }
}

// Ranks with equal values are replicas, whatever other sources say. If at least three ranks hold the same tensors and
// most have equal values, a rank with different values does not belong to their save.
void compareMajority(const SetAssessment &assessment)
{
    std::map<std::uint64_t, std::vector<std::size_t>> alike;  // structure → ranks
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank)
        if (assessment.judged(rank) && assessment.parts[rank].evidence->checksums)
            alike[assessment.parts[rank].evidence->tensors.structure()].push_back(rank);
    for (const auto &[structure, ranks] : alike) {
        if (ranks.size() < 3) continue;
        const std::size_t reference = referenceOf(assessment, ranks);
        const Evidence &most = *assessment.parts[reference].evidence;
        std::vector<std::size_t> others;
        for (const std::size_t rank : ranks)
            if (comparable(assessment, rank, reference) &&
                between(*assessment.parts[rank].evidence, most).differing > 0)
                others.push_back(rank);
        if (others.empty() || 2 * (ranks.size() - others.size()) <= ranks.size()) continue;
        for (const std::size_t rank : others) {
            const Evidence &own = *assessment.parts[rank].evidence;
            assessment.blame(
                rank, MemberState::mismatch, "replica_mismatch",
                message(
                    "%1, and %2 ranks have the same values: they are replicas, and this file is not from the same save",
                    describe(own, most, between(own, most), rank, reference),
                    grouped(std::int64_t(ranks.size() - others.size()))),
                message("different values"));
        }
    }
}

// Hash of the model part in a rank's file; nullopt: nothing comparable.
std::optional<std::uint64_t> valuesOf(const Evidence &evidence)
{
    if (!evidence.checksums || evidence.checksums->size() != evidence.tensors.size()) return std::nullopt;
    std::uint64_t hash = evidence.tensors.structure();
    bool any = false;
    for (std::size_t i = 0; i < evidence.tensors.size(); ++i) {
        if (mayDiffer(evidence.tensors[i])) continue;
        any = true;
        hash = (hash ^ (*evidence.checksums)[i]) * 0x9e3779b97f4a7c15u;
    }
    return any ? std::optional(hash) : std::nullopt;
}

// Each piece of a model has as many replicas as any other. If some values occur in more ranks than others, one file was
// probably copied over another.
void compareShares(const SetAssessment &assessment)
{
    std::map<std::uint64_t, std::vector<std::size_t>> alike;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        if (!assessment.judged(rank)) return;
        const auto values = valuesOf(*assessment.parts[rank].evidence);
        if (!values) return;
        alike[*values].push_back(rank);
    }
    if (alike.size() < 2) return;
    const auto fewer = [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); };
    const auto &most = std::max_element(alike.begin(), alike.end(), fewer)->second;
    const auto &least = std::min_element(alike.begin(), alike.end(), fewer)->second;
    if (most.size() == least.size() || 2 * most.size() > assessment.parts.size()) return;
    assessment.blame("values_repeated",
                     message("%1 has the same values as %2, but %3. All pieces of a model should have equally many "
                             "replicas, so one file may be a copy",
                             rankText(most[1]), rankText(most[0]),
                             least.size() == 1 ? message("%1 matches no other rank", rankText(least[0]))
                                               : message("%1 matches fewer other ranks", rankText(least[0]))),
                     static_cast<int>(most[1]));
}

// Without such a proof, equal shapes prove little. Tensor-parallel ranks also have equal shapes, with different values
// in most tensors. If nearly all values are equal, the rank that differs gets only a hint.
void hintAtReplicas(const SetAssessment &assessment)
{
    std::size_t first = assessment.parts.size();
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        if (!assessment.judged(rank) || !assessment.parts[rank].evidence->checksums) continue;
        if (first == assessment.parts.size()) {
            first = rank;
            continue;
        }
        if (!comparable(assessment, first, rank)) continue;
        const Evidence &a = *assessment.parts[first].evidence, &b = *assessment.parts[rank].evidence;
        const Difference d = between(a, b);
        if (d.differing == 0 || d.differing * threshold::hintShare > d.tensors) continue;
        assessment.blame("replica_differs",
                         message("%1, but the same values in %2 other tensors: if the ranks are data-parallel "
                                 "replicas, one of the files is damaged",
                                 describe(a, b, d, first, rank), grouped(std::int64_t(d.tensors - d.differing))),
                         static_cast<int>(rank));
        return;
    }
}

}  // namespace

void judgeRun(const SetAssessment &assessment, const JudgeContext &context)
{
    if (assessment.sharedByRanks) return;  // one checkpoint: its reader compares its parts
    compareRuns(assessment);
    for (const std::vector<int> &group : context.expected.replicaGroups) compareGroup(assessment, group);
    if (!context.expected.replicaGroups.empty()) return;
    compareMajority(assessment);
    compareShares(assessment);
    hintAtReplicas(assessment);
}

}  // namespace rankdeck
