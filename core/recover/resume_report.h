// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a resume, and its report while it runs and at its end. Plain values.
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"
#include "core/base/message.h"
#include "core/base/word.h"
#include "core/recover/findings.h"
#include "core/recover/plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rankdeck {

inline constexpr std::array resumePhases{PlainWord{"planning"},  PlainWord{"preflight"}, PlainWord{"preparing"},
                                         PlainWord{"launching"}, PlainWord{"proving"},   PlainWord{"done"}};
using ResumePhase = Word<resumePhases>;
// "" while it runs.
inline constexpr std::array resumeOutcomes{PlainWord{""},        PlainWord{"proven"}, PlainWord{"launched"},
                                           PlainWord{"refused"}, PlainWord{"failed"}, PlainWord{"dry_run"}};
using ResumeOutcome = Word<resumeOutcomes>;

struct ResumeOptions {
    std::optional<std::string> set = {};  // otherwise the recommended one
    bool dryRun = false;
    bool allowUnproven = false;
    double waitSeconds = 600;
    std::vector<std::string> fixes = {};  // codes of findings to fix; "all"
    // Processes that the resume may end, by node, as the operator confirmed them. If the plan would now end any other
    // process, it is refused. Empty: the processes of the first check.
    std::optional<std::vector<std::pair<std::string, ProcessId>>> mayEnd = {};
    bool stopOnAlarm = false;  // end the launched processes if the run is shown not to continue from the set
    // A refusal because of a missing answer is overridden only by its own code, not by "all".
    [[nodiscard]] bool overriding(FindingCode code) const
    {
        return std::find(fixes.begin(), fixes.end(), code.word()) != fixes.end();
    }
    [[nodiscard]] bool fixing(FindingCode code) const
    {
        return std::find(fixes.begin(), fixes.end(), code.word()) != fixes.end() ||
               std::find(fixes.begin(), fixes.end(), "all") != fixes.end();
    }
};
struct RankProof {
    int rank = -1;
    std::optional<std::int64_t> loadedGlobalStep = {};
    std::optional<std::int64_t> firstStep = {};  // position of the first sample
    std::optional<double> firstLoss = {}, oldLoss = {};
    std::vector<std::string> witness = {};  // evidence that agreed: "line", "path", "step", "loss"
    std::string loadedPath = {};            // path in the rank's log
    // For scripts that resume only whole epochs: steps of the set's epoch that are skipped, or trained again. Empty:
    // unknown.
    std::optional<std::int64_t> skippedSteps = {}, repeatedSteps = {};
    Message note = {};
    bool proven = false;
};
struct ResumeReport {
    ResumePhase phase = {};
    ResumeOutcome outcome = {};
    Message text = {};
    std::string set = {};
    std::vector<Finding> preflight = {};
    Plan plan = {};
    std::vector<RankProof> ranks = {};
    Known continues = {};
    bool stopped = false;  // the new attempt was ended after an alarm
    struct NotPutBack {
        std::string node = {};
        std::string path = {};
        Message text = {};
    };
    std::vector<NotPutBack> left = {};  // files not restored after a failure: the next console finishes this
    std::string journal = {};
    std::optional<WallTime> started = {};
};

using ResumeProgress = std::function<void(const ResumeReport &)>;

}  // namespace rankdeck
