// SPDX-License-Identifier: GPL-3.0-or-later
// Job states made by hand: a number of ranks at one step on two nodes, without problems.
#pragma once

#include "core/state/picture.h"

namespace rankdeck::states {

inline WallTime now()
{
    static const WallTime at = std::chrono::system_clock::now();
    return at;
}

inline JobState healthy(int ranks, std::int64_t step = 607)
{
    JobState view;
    view.attempt = 0;
    view.stepsPerEpoch = 100;
    view.stepSeconds = 0.25;
    view.kept = std::make_shared<const KeptSets>(KeptSets{.sets = {}, .listing = KeptListing::listed});
    for (const char *name : {"n0", "n1"}) {
        NodeStatus node;
        node.name = name;
        node.state = NodeState::live;
        node.lastContact = now();
        view.nodes.push_back(node);
    }
    for (int number = 0; number < ranks; ++number) {
        RankState rank;
        rank.rank = number;
        rank.node = number < ranks / 2 ? "n0" : "n1";
        rank.alive = true;
        rank.seenAlive = true;
        rank.process = ProcessInfo{};
        rank.process->state = 'S';
        rank.progress.rank = number;
        rank.progress.position = step;
        rank.progress.hasLoss = true;
        rank.progress.loss = 1.5;
        rank.progress.stepSeconds = 0.25;
        rank.progress.usualSilence = 0.4;
        rank.progress.silenceHeard = true;
        rank.progress.heard = now() - std::chrono::milliseconds(200);
        view.ranks.push_back(rank);
    }
    return view;
}

inline void end(JobState &view, int rank, const std::string &error = {}, std::optional<int> exitCode = {})
{
    RankState &state = view.ranks.at(static_cast<std::size_t>(rank));
    state.alive = false;
    state.process.reset();
    state.goneSince = now();
    state.exitCode = exitCode;
    if (!error.empty()) state.error = RankError{now() - std::chrono::seconds(1), error, "/job/worker.log", 4096};
}

inline CheckpointSet validSet(std::int64_t step, int ranks, Verdict verdict = Verdict::valid)
{
    CheckpointSet set;
    set.id = "0:" + std::to_string(step);
    set.position = step;
    set.verdict = verdict;
    for (int rank = 0; rank < ranks; ++rank) {
        MemberVerdict member;
        member.rank = rank;
        member.state = MemberState::ok;
        set.members.push_back(member);
    }
    return set;
}

inline void keep(JobState &view, std::int64_t step, Known whole = Known::yes)
{
    KeptSets kept = *view.kept;
    kept.sets.insert(kept.sets.begin(),
                     {.id = "0:" + std::to_string(step), .nodes = {{.node = "n0"}}, .position = step, .whole = whole});
    view.kept = std::make_shared<const KeptSets>(std::move(kept));
}

inline Picture picture(const JobState &view, Excuse excuse = Excuse::none)
{
    Picture picture{.view = view, .now = now(), .settled = true};
    picture.fates = fatesOf(view, excuse);
    return picture;
}

}  // namespace rankdeck::states
