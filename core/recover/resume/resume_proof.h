// SPDX-License-Identifier: GPL-3.0-or-later
// Proof that a resumed run continues from the end of the chosen set, rank by rank. The evidence is the script's own
// line about its load, the first step of the new attempt, and its loss compared with the old curve. Proven: nothing
// contradicts, the step continues, and the line or the loss shows that weights were loaded. Missing evidence is
// reported. Pure.
// A set with an epoch but no step (PyTorch's model_best.pth.tar) ended with that epoch. If the script counts epochs
// from 0, it ended with the next one. Then all three kinds of evidence must agree. The first step must be at the
// beginning of one of the two following epochs.
// The loss: the median of the first losses (up to firstSamplesKept) is compared with the band of the old curve around
// the set. If it is in the band or below, the curve continues. If it is above, it counts as noise until
// firstSamplesKept losses exist, or until it is five bands above.
#pragma once

#include "core/base/known.h"
#include "core/recover/action_context.h"
#include "core/recover/plan.h"
#include "core/recover/resume_report.h"

#include <map>
#include <string>
#include <vector>

namespace rankdeck {

struct ResumeBaseline {
    int attemptBefore = -1;
    CheckpointSet set = {};
    std::optional<std::int64_t> position = {};           // position of the set on the job's axis
    bool byEpoch = false;                                // the set has no step: the position is the end of its epoch
    bool countsAnew = false;                             // the script begins with step 1, whatever it loads
    std::map<int, std::string> checkpoints = {};         // rank → the path that it was given to load
    std::map<int, std::string> views = {};               // rank → the staging directory that it was given, if any
    std::map<int, std::vector<std::string>> anyOf = {};  // rank → files of which it loads the first that it finds
    std::map<int, std::vector<PlacedSample>> oldLosses = {};  // losses of each rank around that position
};

// Sets the position at which the set ended, if the set shows it. stepsPerEpoch 0: unknown.
void placeBaseline(ResumeBaseline &baseline, std::int64_t stepsPerEpoch);

struct LossBand {
    double median = 0;
    double allowed = 0;
};  // allowed: difference above the median
// Needs at least three finite samples, otherwise nullopt. allowed = max(4 × median absolute deviation, 10 % of the
// median).
std::optional<LossBand> lossBand(const std::vector<PlacedSample> &samples, std::int64_t around);

enum class Witness { silent, agrees, contradicts };
Witness lineWitness(const RankState &rank, const ResumeBaseline &baseline);
Witness stepWitness(const RankState &rank, const ResumeBaseline &baseline, std::int64_t stepsPerEpoch);

struct ResumeProof {
    std::vector<RankProof> ranks = {};
    std::vector<int> contradicting = {};
    std::vector<int> started = {};  // ranks with a first sample
    bool nothingLoaded = false;     // a script itself reports it
    [[nodiscard]] bool proven() const;
    [[nodiscard]] Known continues() const;  // nullopt: not known yet
    [[nodiscard]] Message text() const;     // one sentence per group of ranks
    [[nodiscard]] Message remarks() const;  // the notes only
};
ResumeProof proveResume(const JobState &view, const ResumeBaseline &baseline);

}  // namespace rankdeck
