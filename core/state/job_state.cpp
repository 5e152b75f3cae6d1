// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/job_state.h"

namespace rankdeck {

double clockSkew(const JobState &view, const std::string &node)
{
    for (const NodeStatus &status : view.nodes)
        if (status.name == node) return status.facts.clockSkewSeconds;
    return 0;
}

bool hasJustBegun(const RankState &rank, double clockSkewSeconds)
{
    return rank.process && rank.process->started != WallTime{} &&
           secondsAfter(rank.process->started, -clockSkewSeconds) > rank.progress.heard;
}

bool logsOnceAnEpoch(const JobState &view)
{
    bool any = false;
    for (const RankState &rank : view.ranks)
        for (const PlacedSample &sample : rank.firstSamples) {
            if (view.stepsPerEpoch <= 1 || sample.step % view.stepsPerEpoch != 0) return false;
            any = true;
        }
    return any;
}

WallTime consoleTime(const JobState &view, const std::string &node, std::int64_t nodeNs)
{
    return secondsAfter(wallFromNs(nodeNs), -clockSkew(view, node));
}

}  // namespace rankdeck
