// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/structure_index.h"

#include "core/base/parallel_for.h"
#include "core/verdict/set_assessment.h"

#include <algorithm>

namespace rankdeck {
namespace {

void add(KnownStructures &known, const SetAssessment &assessment, const TensorList &tensors)
{
    const auto had = std::find_if(known.begin(), known.end(),
                                  [&](const KnownStructure &p) { return p.tensors->sameStructure(tensors); });
    if (had == known.end())
        known.push_back({&tensors, &assessment});
    else if (!had->second)
        had->second = &assessment;
}

}  // namespace

StructureIndex::StructureIndex(const std::vector<SetAssessment> &assessments)
{
    std::vector<std::vector<KnownStructures> *> lineOf;
    std::size_t ranks = 0;
    for (const SetAssessment &assessment : assessments) {
        std::vector<KnownStructures> &line = m_lines[{assessment.set.kind, assessment.prefix}];
        line.resize(std::max(line.size(), assessment.parts.size()));
        ranks = std::max(ranks, line.size());
        lineOf.push_back(&line);
    }
    inTwoThreads(ranks, ranks * assessments.size(), [&](std::size_t from, std::size_t to) {
        for (std::size_t i = 0; i < assessments.size(); ++i)
            for (std::size_t rank = from; rank < std::min(to, assessments[i].parts.size()); ++rank)
                if (assessments[i].judged(rank) && assessments[i].parts[rank].evidence->level >= EvidenceLevel::L1)
                    add((*lineOf[i])[rank], assessments[i], assessments[i].parts[rank].evidence->tensors);
    });
}

const std::vector<KnownStructures> &StructureIndex::of(const SetAssessment &assessment) const
{
    static const std::vector<KnownStructures> none;
    const auto found = m_lines.find({assessment.set.kind, assessment.prefix});
    return found == m_lines.end() ? none : found->second;
}

bool StructureIndex::contradicts(CheckpointKind kind, std::size_t rank, const TensorList &tensors) const
{
    bool any = false;
    for (auto line = m_lines.lower_bound({kind, std::string()}); line != m_lines.end() && line->first.first == kind;
         ++line) {
        if (rank >= line->second.size()) continue;
        for (const KnownStructure &precedent : line->second[rank]) {
            if (precedent.tensors->sameStructure(tensors)) return false;
            any = true;
        }
    }
    return any;
}

}  // namespace rankdeck
