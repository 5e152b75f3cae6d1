// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output/checkpoint_table.h"

#include "app/ctl/output/columns.h"

#include "core/base/text.h"
#include "core/verdict/table/arrangement.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankdeck::ctl {
namespace {

constexpr std::size_t lettersUpTo = 64;

struct Widths {
    std::size_t id = 3, kind = 4, step = 4, time = 4, verdict = 7, ranks = 5;
};

std::string stepOf(const CheckpointSet &set) { return set.position ? grouped(*set.position) : "-"; }
// Format: 2026-11-21 03:12:07.
std::string timeOf(const CheckpointSet &set)
{
    if (!set.time) return "-";
    std::string text = isoTime(*set.time).substr(0, 19);
    std::replace(text.begin(), text.end(), 'T', ' ');
    return text;
}

Widths widthsOf(const CheckpointReport &report)
{
    Widths w;
    for (const CheckpointSet &set : report.sets) {
        w.id = std::max(w.id, set.id.size());
        w.kind = std::max(w.kind, std::string(checkpointKindName(set.kind)).size());
        w.step = std::max(w.step, stepOf(set).size());
        w.time = std::max(w.time, timeOf(set).size());
        w.verdict = std::max(w.verdict, std::string(verdictName(set.verdict)).size());
        if (set.members.size() <= lettersUpTo) w.ranks = std::max(w.ranks, set.members.size());
    }
    return w;
}

std::string rowOf(const CheckpointSet &set, const Widths &w, bool chosen)
{
    return std::string(chosen ? "> " : "  ") + left(set.id, w.id) + "  " + left(checkpointKindName(set.kind), w.kind) +
           "  " + right(stepOf(set), w.step) + "  " + left(timeOf(set), w.time) + "  " +
           left(verdictName(set.verdict), w.verdict) + "  " + left(matrixRow(set), w.ranks);
}

// Cells that are not ok and that no reason of the set explains.
std::string cellLines(const CheckpointSet &set)
{
    std::set<int> told;
    for (const Reason &reason : set.reasons) told.insert(reason.rank);
    std::map<std::string, std::vector<int>> same;
    for (const MemberVerdict &m : set.members)
        if (m.state != MemberState::ok && told.count(m.rank) == 0)
            same[std::string(memberStateName(m.state)) + (m.note.empty() ? "" : ": " + m.note)].push_back(m.rank);
    std::string out;
    for (const auto &[what, ranks] : same) out += "      ranks " + rankList(ranks) + ": " + printable(what) + "\n";
    return out;
}

std::string explained(const CheckpointSet &set)
{
    std::string out;
    for (const Reason &reason : set.reasons)
        out += "      " + reason.code.word() + " (" + std::string(reason.code.law()) + "): " + printable(reason.text) +
               "\n";
    out += cellLines(set);
    EvidenceLevel lowest = EvidenceLevel::L4;
    bool any = false;
    for (const MemberVerdict &m : set.members)
        if (m.state != MemberState::missing) {
            lowest = std::min(lowest, m.level);
            any = true;
        }
    if (any) out += std::string("      read to ") + evidenceLevelName(lowest) + "\n";
    return out;
}

// Each path with its inferred save, rank and slot, and the evidence for them.
std::string arrangement(const CheckpointReport &report)
{
    std::string out;
    for (const PlacedPart &part : report.table) {
        out += "  " + printable(part.path) + "\n      save " + part.save + ", " +
               (part.rank < 0 ? "all ranks" : "rank " + std::to_string(part.rank)) + ", slot " + printable(part.slot) +
               "; " + certaintyName(part.certainty) + ":";
        for (const std::string &clause : part.evidence)
            out += (&clause == part.evidence.data() ? " " : "; ") + printable(clause);
        out += "\n";
    }
    return out.empty() ? out : "what was inferred for each path:\n" + out;
}

std::string legend(const CheckpointReport &report)
{
    std::set<MemberState> seen;
    for (const CheckpointSet &set : report.sets)
        if (set.members.size() <= lettersUpTo)
            for (const MemberVerdict &m : set.members) seen.insert(m.state);
    std::string out;
    for (const MemberState state : seen)
        out += (out.empty() ? "" : ", ") + stateLetter(state) + " " + memberStateName(state);
    return out.empty() ? out : "ranks: " + out + "\n";
}

}  // namespace

std::string stateLetter(MemberState state)
{
    switch (state) {
    case MemberState::ok: return "o";
    case MemberState::missing: return ".";
    case MemberState::inProgress: return "~";
    case MemberState::torn: return "X";
    case MemberState::mismatch: return "!";
    case MemberState::unreadable: return "-";
    case MemberState::replica: return "r";
    case MemberState::unread: break;
    }
    return "?";
}

std::string matrixRow(const CheckpointSet &set)
{
    std::string row;
    if (set.members.size() <= lettersUpTo) {
        for (const MemberVerdict &member : set.members) row += stateLetter(member.state);
        return row;
    }
    std::map<MemberState, std::vector<int>> byState;
    for (const MemberVerdict &member : set.members) byState[member.state].push_back(member.rank);
    for (const auto &[state, ranks] : byState) {
        row += (row.empty() ? "" : "; ") + grouped(std::int64_t(ranks.size())) + " " + memberStateName(state);
        if (state != MemberState::ok && ranks.size() < set.members.size()) row += " (" + rankList(ranks) + ")";
    }
    return row;
}

std::string checkpointTable(const CheckpointReport &report, bool explain, std::size_t columns, bool complete)
{
    std::string out = report.framework + ", " + grouped(report.worldSize) +
                      (report.worldSize == 1 ? " rank" : " ranks") + " (from " + report.worldSizeFrom + ")\n";
    if (report.sets.empty())
        out +=
            complete ? "no checkpoint found\n" : "cannot tell whether there are checkpoints: not every node was read\n";
    const Widths w = widthsOf(report);
    if (!report.sets.empty())
        out += "  " + left("set", w.id) + "  " + left("kind", w.kind) + "  " + right("step", w.step) + "  " +
               left("time", w.time) + "  " + left("verdict", w.verdict) + "  ranks\n";
    for (const CheckpointSet &set : report.sets) {
        std::string line = rowOf(set, w, report.recommended == set.id);
        if (!explain && !set.reasons.empty()) line += "  " + printable(set.reasons.front().text);
        if (!explain && set.reasons.size() > 1) line += " (+" + std::to_string(set.reasons.size() - 1) + ")";
        while (!line.empty() && line.back() == ' ') line.pop_back();
        out += (columns > 0 ? cut(line, columns) : line) + "\n";
        if (explain) out += explained(set);
    }
    out += legend(report) + arrangement(report);
    for (const std::string &note : report.notes) out += "note: " + printable(note) + "\n";
    if (report.recommended)
        out += "> " + *report.recommended + ": " + report.recommendedText + "\n";
    else if (!complete)
        out += "cannot tell whether a set is VALID: not every node was read\n";
    else
        out += "nothing VALID" + std::string(explain || report.sets.empty() ? "" : "; --explain lists every reason") +
               "\n";
    return out;
}

}  // namespace rankdeck::ctl
