// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/history.h"

#include "core/verdict/draft.h"
#include "core/verdict/halves.h"

#include <algorithm>

namespace rankdeck {
namespace {

void add(Precedents &known, const Draft &draft, const TensorList &tensors)
{
    const auto had =
        std::find_if(known.begin(), known.end(), [&](const Precedent &p) { return p.tensors->sameStructure(tensors); });
    if (had == known.end())
        known.push_back({&tensors, &draft});
    else if (!had->second)
        had->second = &draft;
}

}  // namespace

History::History(const std::vector<Draft> &drafts)
{
    std::vector<std::vector<Precedents> *> lineOf;
    std::size_t ranks = 0;
    for (const Draft &draft : drafts) {
        std::vector<Precedents> &line = m_lines[{draft.set.kind, draft.prefix}];
        line.resize(std::max(line.size(), draft.parts.size()));
        ranks = std::max(ranks, line.size());
        lineOf.push_back(&line);
    }
    inHalves(ranks, ranks * drafts.size(), [&](std::size_t from, std::size_t to) {
        for (std::size_t i = 0; i < drafts.size(); ++i)
            for (std::size_t rank = from; rank < std::min(to, drafts[i].parts.size()); ++rank)
                if (drafts[i].judged(rank) && drafts[i].parts[rank].evidence->level >= EvidenceLevel::L1)
                    add((*lineOf[i])[rank], drafts[i], drafts[i].parts[rank].evidence->tensors);
    });
}

const std::vector<Precedents> &History::of(const Draft &draft) const
{
    static const std::vector<Precedents> none;
    const auto found = m_lines.find({draft.set.kind, draft.prefix});
    return found == m_lines.end() ? none : found->second;
}

bool History::contradicts(CheckpointKind kind, std::size_t rank, const TensorList &tensors) const
{
    bool any = false;
    for (auto line = m_lines.lower_bound({kind, std::string()}); line != m_lines.end() && line->first.first == kind;
         ++line) {
        if (rank >= line->second.size()) continue;
        for (const Precedent &precedent : line->second[rank]) {
            if (precedent.tensors->sameStructure(tensors)) return false;
            any = true;
        }
    }
    return any;
}

}  // namespace rankdeck
