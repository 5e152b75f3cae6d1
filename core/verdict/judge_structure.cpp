// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/checkpoint/read/layer_numbers.h"
#include "core/verdict/laws.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace rankdeck {
namespace {

// For each judged rank, the structures of its files in the sets of this kind and prefix.
using Line = std::vector<KnownStructures>;

// True if a file contains only the beginning of another one: it was cut between two records. A reader that sees only
// this file cannot notice the cut.
bool isBeginningOf(const TensorList &whole, const TensorList &list)
{
    return list.size() < whole.size() && list.commonPrefix(whole) == list.size();
}

struct Cut {
    std::size_t of = 0;
    Message than = {};
    std::string next = {};
};

Cut cutAgainst(const TensorList &list, const TensorList &whole, const Message &than)
{
    return {whole.size(), than, whole[list.size()].name};
}

std::optional<Cut> findCut(const SetAssessment &assessment, std::size_t rank,
                           const std::map<std::uint64_t, std::size_t> &distinct, const Line &line)
{
    const TensorList &own = assessment.parts[rank].evidence->tensors;
    for (const auto &[structure, sibling] : distinct)
        if (isBeginningOf(assessment.parts[sibling].evidence->tensors, own))
            return cutAgainst(own, assessment.parts[sibling].evidence->tensors, rankText(sibling));
    for (const KnownStructure &before : line[rank])
        if (isBeginningOf(*before.tensors, own))
            return cutAgainst(own, *before.tensors, message("its file from %1", before.first->set.id));
    return std::nullopt;
}

// Formats that can be cut between two records; the others have an index or their own length.
bool hasOpenEnd(const Evidence &e) { return e.format == Format::mindsporeCkpt; }

bool endIsProven(const Evidence &e)
{
    return e.crc != Evidence::Crc::absent || e.meta.count("epoch_num") != 0 || e.meta.count("step_num") != 0;
}

enum class Own { same, differs, unknown };

Own comparedWithBefore(const SetAssessment &assessment, std::size_t rank, const Line &line)
{
    Own result = Own::unknown;
    for (const KnownStructure &before : line[rank]) {
        if (before.first == &assessment && !before.second) continue;
        if (before.tensors->sameStructure(assessment.parts[rank].evidence->tensors)) return Own::same;
        result = Own::differs;
    }
    return result;
}

Message difference(const TensorList &a, const TensorList &b)
{
    const std::size_t n = a.commonPrefix(b);
    const auto describe = [n](const TensorList &list) {
        return n < list.size() ? Message("'" + printable(list[n].name) + "' " + shapeText(list[n].shape) + " " +
                                         printable(list[n].type))
                               : message("nothing more");
    };
    return message("%1 instead of %2", describe(a), describe(b));
}

bool sameNamesOtherTypes(const TensorList &a, const TensorList &b)
{
    if (a.size() != b.size() || a.empty()) return false;
    bool types = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].name != b[i].name) return false;
        types = types || a[i].type != b[i].type;
    }
    return types;
}

using Groups = std::map<std::uint64_t, std::vector<std::size_t>>;  // structure → ranks

// True if the ranks that are known to hold the same parameters agree, and all ranks that differ are known not to be
// replicas.
bool isExplainedByReplicas(const Groups &groups, const JudgeContext &context)
{
    std::map<std::size_t, std::uint64_t> structureOf;
    for (const auto &[structure, ranks] : groups)
        for (const std::size_t rank : ranks) structureOf[rank] = structure;
    std::set<std::size_t> placed;
    for (const std::vector<int> &group : context.expected.replicaGroups) {
        std::optional<std::uint64_t> common;
        for (const int rank : group) {
            const auto found = structureOf.find(std::size_t(rank));
            if (rank < 0 || found == structureOf.end()) continue;
            if (common && *common != found->second) return false;
            common = found->second;
            placed.insert(std::size_t(rank));
        }
    }
    return !placed.empty() && placed.size() == structureOf.size();
}

std::vector<std::set<int>> layersOfRanks(const SetAssessment &assessment, const Groups &groups)
{
    std::vector<std::set<int>> parts;
    for (const auto &[structure, ranks] : groups)
        parts.insert(parts.end(), ranks.size(), layersOf(assessment.parts[ranks.front()].evidence->tensors));
    return parts;
}

// Different tensors in the ranks are right in model parallelism and wrong in data parallelism. A rank that had the same
// tensors in earlier sets is right; a rank that had others is wrong. Without an earlier set, only groups of equal size
// can be model-parallel parts.
void judgeGroups(const SetAssessment &assessment, const Groups &groups, bool allThere, const JudgeContext &context)
{
    const auto most = std::max_element(groups.begin(), groups.end(),
                                       [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
    const TensorList &reference = assessment.parts[most->second.front()].evidence->tensors;
    const bool equalGroups = std::all_of(groups.begin(), groups.end(),
                                         [&](const auto &g) { return g.second.size() == most->second.size(); });
    std::size_t all = 0;
    for (const auto &[structure, ranks] : groups) all += ranks.size();
    const bool majority = 2 * most->second.size() > all;  // a majority needs no other evidence
    const bool explained = isExplainedByReplicas(groups, context) || isWholePipeline(layersOfRanks(assessment, groups));
    bool unproven = false;
    for (const auto &[structure, ranks] : groups) {
        if (majority && structure == most->first) continue;
        for (const std::size_t rank : ranks) {
            const TensorList &own = assessment.parts[rank].evidence->tensors;
            const Own before = comparedWithBefore(assessment, rank, context.structures.of(assessment));
            const bool types = sameNamesOtherTypes(own, reference);
            if (before == Own::same && !types) continue;
            if (!types && (explained || (before == Own::unknown && (equalGroups || !allThere)))) {
                unproven = true;
                continue;
            }
            const Message text =
                majority ? message("the tensors of %1 differ from those of %2: %3", rankText(rank),
                                   rankText(most->second.front()), difference(own, reference))
                         : message("the tensors of %1 differ from those in its earlier files", rankText(rank));
            assessment.blame(rank, MemberState::mismatch, "structure_mismatch", text, message("different tensors"));
        }
    }
    if (!unproven || explained) return;
    assessment.blame(Verdict::validUnproven, "structure_mismatch",
                     message("the ranks have different tensors, as with model parallelism, but no other set confirms "
                             "that this is correct"));
}

// Pipeline stages may hold different tensors, if together they are one complete model.
bool isBrokenPipeline(const SetAssessment &assessment, const Groups &groups)
{
    const Message fault = pipelineFault(layersOfRanks(assessment, groups));
    if (fault.empty()) return false;
    assessment.blame("layers_mismatch", message("the ranks are stages of one pipeline, but %1", fault));
    return true;
}

}  // namespace

void judgeStructure(const SetAssessment &assessment, const JudgeContext &context)
{
    const Line &line = context.structures.of(assessment);
    std::map<std::uint64_t, std::size_t> distinct;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank)
        if (assessment.judged(rank)) distinct.try_emplace(assessment.parts[rank].evidence->tensors.structure(), rank);
    Groups groups;
    std::size_t whole = 0;
    for (std::size_t rank = 0; rank < assessment.parts.size(); ++rank) {
        if (!assessment.judged(rank)) continue;
        const Evidence &evidence = *assessment.parts[rank].evidence;
        if (hasOpenEnd(evidence)) {
            if (const auto cut = findCut(assessment, rank, distinct, line)) {
                assessment.blame(
                    rank, MemberState::torn, "torn",
                    message(
                        "%1 has only the first %2 of the %3 tensors of %4: truncated between two records, before '%5'",
                        rankText(rank), std::to_string(evidence.tensors.size()), cut->of, cut->than,
                        printable(cut->next)),
                    message("%1 tensors missing", std::to_string(cut->of - evidence.tensors.size())));
                assessment.blame("structure_mismatch",
                                 message("%1 has %2 tensors, %3 has %4", rankText(rank),
                                         std::to_string(evidence.tensors.size()), cut->than, cut->of),
                                 static_cast<int>(rank));
                continue;
            }
        }
        ++whole;
        groups[evidence.tensors.structure()].push_back(rank);
    }
    // If a rank is missing, its layers are missing too, so the check needs all ranks.
    const bool broken = groups.size() > 1 && whole == assessment.parts.size() && isBrokenPipeline(assessment, groups);
    if (groups.size() > 1 && !broken) judgeGroups(assessment, groups, whole == assessment.parts.size(), context);
    if (whole != 1 || assessment.parts.size() != 1) return;
    const Evidence &alone = *assessment.parts.front().evidence;
    if (!hasOpenEnd(alone) || endIsProven(alone) || comparedWithBefore(assessment, 0, line) == Own::same) return;
    assessment.blame("structure_unproven",
                     message("nothing marks the end of the file, and there is no other file to compare it with: a "
                             "truncation between two tensors would go unnoticed"),
                     0);
}

}  // namespace rankdeck
