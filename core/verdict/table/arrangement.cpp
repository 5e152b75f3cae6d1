// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/table/arrangement.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/components/component_names.h"

#include <algorithm>

namespace rankdeck {
namespace {

using Certainty = PlacedPart::Certainty;

// Collects the evidence for both coordinates, the save and the place; the weaker of the two gives the certainty of the
// row.
class Placing {
public:
    Placing(const CheckpointReport &report, const Member &member, const Evidence &evidence)
        : m_report(report), m_member(member), m_evidence(evidence)
    {}
    PlacedPart place(const CheckpointSet &set, int rank)
    {
        PlacedPart out{.node = m_member.node, .save = set.id, .rank = rank};
        takeRank(rank);
        takeSave();
        const bool doubted = std::any_of(set.reasons.begin(), set.reasons.end(), [rank](const Reason &reason) {
            return isAmbiguous(reason.code) && (reason.rank < 0 || reason.rank == rank);
        });
        for (const Reason &reason : set.reasons)
            if (isAmbiguous(reason.code) && (reason.rank < 0 || reason.rank == rank)) m_clauses.push_back(reason.text);
        out.certainty = doubted ? Certainty::ambiguous : m_certainty;
        out.evidence = std::move(m_clauses);
        return out;
    }

private:
    static bool isAmbiguous(ReasonCode code)
    {
        return code == "rank_unproven" || code == "two_files" || code == "step_unproven" || code == "one_file" ||
               code == "unmatched_name";
    }
    void stated(Message clause) { m_clauses.push_back(std::move(clause)); }
    void inferred(Message clause)
    {
        m_clauses.push_back(std::move(clause));
        m_certainty = Certainty::inferred;
    }

    void takeRank(int rank)
    {
        const auto inside = m_evidence.number("rank") ? m_evidence.number("rank") : m_evidence.number("saved_by");
        if (m_member.sharedByRanks) return stated(message("one checkpoint for all ranks"));
        if (inside == rank) return stated(message("its content names rank %1", rank));
        if (m_report.worldSizeFrom == "job") return stated(message("the job file maps it to rank %1", rank));
        if (m_member.name.rank == rank) return stated(message("rank %1 in its name", rank));
        if (m_member.rankIsGuess)
            return inferred(message("a number in its path takes the value of each rank in every save"));
        if (m_member.rankInPath) return stated(message("rank %1 in its path", rank));
        inferred(message("nothing names a different rank"));
    }

    void takeSave()
    {
        const ParsedName &name = m_member.name;
        for (const char *counter : {"global_step", "iteration", "step", "optimizer_step", "step_num"})
            if (const auto counted = m_evidence.number(counter))
                return stated(message("its content has %1 %2", std::string(counter), grouped(*counted)));
        if (name.epoch && name.step)
            return stated(message("epoch %1 and step %2 in its name", grouped(*name.epoch), grouped(*name.step)));
        const std::string step = name.globalStep ? grouped(*name.globalStep) : "";
        if (name.globalStep && !name.stepIsGuess) return stated(message("step %1 in its path", step));
        if (name.epoch) return stated(message("epoch %1 in its path", grouped(*name.epoch)));
        if (name.globalStep) return inferred(message("the number %1 in its path grows from save to save", step));
        inferred(message("no step found; ordered by time only"));
    }

    const CheckpointReport &m_report;
    const Member &m_member;
    const Evidence &m_evidence;
    Certainty m_certainty = Certainty::stated;
    std::vector<Message> m_clauses;
};

std::string slotOf(const std::string &path, const Member &member)
{
    return slotName(path, member.series.empty() ? dirName(path) : member.series);
}

}  // namespace

std::vector<PlacedPart> placesOf(const CheckpointReport &report, const CheckpointSet &set, int rank,
                                 const Member &member, const Evidence &evidence)
{
    const PlacedPart row = Placing(report, member, evidence).place(set, member.sharedByRanks ? -1 : rank);
    std::vector<std::string> paths;
    for (const FileEntry &part : member.parts) paths.push_back(part.path);
    if (paths.empty()) paths.push_back(member.file.path);
    std::vector<PlacedPart> rows(paths.size(), row);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].slot = slotOf(paths[i], member);
        rows[i].path = std::move(paths[i]);
    }
    return rows;
}

std::vector<PlacedPart> arrangementOf(const CheckpointReport &report, const Inventory &inventory,
                                      const KnownEvidence &known)
{
    std::vector<PlacedPart> rows;
    for (const CheckpointSet &set : report.sets) {
        int last = -1;  // member of the previous rank: ranks that share a checkpoint have the same member
        for (const MemberVerdict &verdict : set.members) {
            if (verdict.member < 0 || verdict.member == last) continue;
            last = verdict.member;
            const Member &member = inventory.members.at(static_cast<std::size_t>(verdict.member));
            for (PlacedPart &row : placesOf(report, set, verdict.rank, member, *known(member)))
                rows.push_back(std::move(row));
        }
    }
    return rows;
}

const char *certaintyName(PlacedPart::Certainty certainty)
{
    switch (certainty) {
    case Certainty::stated: return "stated";
    case Certainty::inferred: return "inferred";
    case Certainty::ambiguous: break;
    }
    return "ambiguous";
}

}  // namespace rankdeck
