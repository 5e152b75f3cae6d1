// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/refuted_ranks.h"

#include "core/base/text.h"
#include "core/checkpoint/read/saved_name.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace rankdeck {
namespace {

std::optional<std::int64_t> ownStep(const Evidence &evidence)
{
    for (const char *key : {"global_step", "step", "iteration", "epoch"})
        if (const auto value = evidence.number(key)) return value;
    return std::nullopt;
}

// The files of one save, as their names were read.
std::string saveOf(const Member &member)
{
    const auto text = [](const std::optional<std::int64_t> &number) { return number ? std::to_string(*number) : "-"; };
    return dirName(member.file.path) + '/' + member.name.prefix + '/' + text(member.name.epoch) + '/' +
           text(member.name.globalStep);
}

struct NumberedFiles {
    std::map<std::string, std::vector<std::int64_t>> steps;  // by save
    std::vector<std::size_t> members;
    bool checkpoints = false;  // at least one of them may be a checkpoint
};

// Different steps in most saves. One stale file, or one exchanged save, is a fault that the laws report.
bool isRefuted(const NumberedFiles &row)
{
    if (!row.checkpoints) return true;
    int different = 0, same = 0;
    for (const auto &[save, steps] : row.steps) {
        if (steps.size() < 2) continue;
        const std::set<std::int64_t> distinct(steps.begin(), steps.end());
        ++(distinct.size() == steps.size() ? different : same);
    }
    return different > same;
}

}  // namespace

bool isOfNoFormat(const Evidence &evidence)
{
    return std::any_of(evidence.problems.begin(), evidence.problems.end(), [](const Problem &problem) {
        return problem.code == "not_a_checkpoint" || problem.code == "unknown_format";
    });
}

std::optional<Inventory> withoutRefutedRanks(const Inventory &inventory, const std::vector<EvidencePtr> &evidence)
{
    std::map<std::string, NumberedFiles> rows;  // by the path without its numbers
    for (std::size_t i = 0; i < inventory.members.size(); ++i) {
        const Member &member = inventory.members[i];
        if (!member.otherwise) continue;
        NumberedFiles &row = rows[withoutNumbers(member.file.path)];
        row.members.push_back(i);
        row.checkpoints = row.checkpoints || !member.name.numbered || !isOfNoFormat(*evidence[i]);
        if (const auto step = ownStep(*evidence[i])) row.steps[saveOf(member)].push_back(*step);
    }
    std::optional<Inventory> out;
    for (const auto &[form, row] : rows) {
        if (!isRefuted(row)) continue;
        if (!out) out = inventory;
        for (const std::size_t i : row.members) {
            Member &member = out->members[i];
            member.name = *member.otherwise;
            member.rank = 0;
            member.sharedByRanks = member.name.epoch || member.name.globalStep;
            member.rankInPath = member.rankIsGuess = false;
        }
    }
    if (!out) return out;
    const auto world = [](const Inventory &of) {
        int ranks = 0;
        for (const Member &member : of.members) ranks = std::max(ranks, member.rank + 1);
        return ranks;
    };
    if (out->worldSizeFromDirectories == world(inventory)) out->worldSizeFromDirectories = world(*out);
    return out;
}

}  // namespace rankdeck
