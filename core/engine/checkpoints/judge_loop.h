// SPDX-License-Identifier: GPL-3.0-or-later
// Loop that judges, reads the files that could change the verdicts, and judges again, until nothing new becomes known.
// Used for a watched job and for a single check of a directory. An unreadable or empty checkpoint counts as answered,
// so that the others are still read. Blocks; runs on one thread.
#pragma once

#include "core/checkpoint/survey/survey.h"
#include "core/verdict/verdict.h"

#include <functional>
#include <memory>
#include <optional>

namespace rankdeck {

struct JudgeRound {  // the present inventory, and the expectation with which it is judged
    std::shared_ptr<const Inventory> inventory;
    Expectation expected;
};

struct JudgeLoop {
    std::function<std::optional<JudgeRound>()> look;  // called before each round; nullopt ends the loop
    // Called with each report. Its `settled` is true if no more reads are needed.
    std::function<void(const JudgeRound &, CheckpointReport)> told;
    std::function<bool()> stopped;
};

// False: the loop ended before everything that it needed was known.
bool judgeUntilKnown(Survey &survey, const JudgeLoop &loop);

}  // namespace rankdeck
