// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoints/judge_loop.h"

#include "core/verdict/read_plan.h"
#include "core/verdict/table/arrangement.h"

#include <algorithm>
#include <utility>

namespace rankdeck {

bool judgeUntilKnown(Survey &survey, const JudgeLoop &loop)
{
    const auto known = [&](const Member &member) { return survey.known(member); };
    for (;;) {
        const std::optional<JudgeRound> round = loop.look();
        if (!round) return false;
        CheckpointReport report = judge(*round->inventory, known, round->expected);
        const std::vector<Member> wanted = nextToRead(*round->inventory, report, known);
        report.settled = wanted.empty();
        if (round->expected.explain) report.table = arrangementOf(report, *round->inventory, known);
        loop.told(*round, std::move(report));
        if (wanted.empty()) return true;
        if (loop.stopped()) return false;
        survey.read(wanted, EvidenceLevel::L3, loop.stopped);
        // Members that are still unknown after they were requested would be requested for ever.
        if (std::all_of(wanted.begin(), wanted.end(), [&](const Member &m) { return isUnread(*known(m)); }))
            return false;
    }
}

}  // namespace rankdeck
