// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a resumed run continues where the chosen set ended, rank by rank. Three witnesses: the script's own line about
// its load, the first step of the new attempt, and its loss against the old curve. Proven: none of them contradicts, the
// step goes on, and the line or the loss shows that weights were loaded. What no witness shows is said. Pure.
//
// A set that tells an epoch and no step (PyTorch's model_best.pth.tar) ended with that epoch, or with the next where the script
// counts its epochs from 0. So line, loss and the beginning of one of the two epochs behind it must agree, all three.
//
// The loss: the median of the first losses (up to firstSamplesKept) against the band of the old curve around the set. In the
// band or below: it continues. Above: noise, until firstSamplesKept losses are there or it lies five bands above.
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
    std::optional<std::int64_t> position = {};           // of the set on the job's axis
    bool byEpoch = false;                                // the set tells no step: the position is the end of its epoch
    bool countsAnew = false;                             // the script begins with step 1 whatever it loads
    std::map<int, std::string> checkpoints = {};         // rank → the path it was told to load
    std::map<int, std::string> views = {};               // rank → the directory of links it was told, if one
    std::map<int, std::vector<std::string>> anyOf = {};  // rank → files of which it loads one, whichever it meets
    std::map<int, std::vector<PlacedSample>> oldLosses = {};  // of each rank around that position
};

// Where the set ended, as far as it tells. stepsPerEpoch 0: not known.
void placeBaseline(ResumeBaseline &baseline, std::int64_t stepsPerEpoch);

struct LossBand {
    double median = 0;
    double allowed = 0;
};  // allowed: above the median
// Of at least three finite samples, else nullopt. allowed = max(4 × median absolute deviation, 10 % of the median).
std::optional<LossBand> lossBand(const std::vector<PlacedSample> &samples, std::int64_t around);

enum class Witness { silent, agrees, contradicts };
Witness lineWitness(const RankState &rank, const ResumeBaseline &baseline);
Witness stepWitness(const RankState &rank, const ResumeBaseline &baseline, std::int64_t stepsPerEpoch);

struct ResumeProof {
    std::vector<RankProof> ranks = {};
    std::vector<int> contradicting = {};
    std::vector<int> started = {};  // with a first sample
    bool nothingLoaded = false;     // a script has said so itself
    [[nodiscard]] bool proven() const;
    [[nodiscard]] Known continues() const;      // nullopt: not known yet
    [[nodiscard]] std::string text() const;     // one sentence per group of ranks
    [[nodiscard]] std::string remarks() const;  // the notes only, each after a space
};
ResumeProof proveResume(const JobState &view, const ResumeBaseline &baseline);

}  // namespace rankdeck
