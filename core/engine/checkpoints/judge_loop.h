// SPDX-License-Identifier: GPL-3.0-or-later
// Loop that judges, reads the files that could change the verdicts, and judges again, until nothing new becomes known.
// Used for a watched job and for a single check of a directory. An unreadable or empty checkpoint counts as answered,
// so that the others are still read. Blocks; one thread.
#pragma once

#include "core/checkpoint/survey/survey.h"
#include "core/verdict/verdict.h"

#include <functional>
#include <memory>
#include <optional>

namespace rankdeck {

struct JudgeRound {  // what is there now, and what is expected of it
    std::shared_ptr<const Inventory> inventory;
    Expectation expected;
};

struct JudgeLoop {
    std::function<std::optional<JudgeRound>()> look;  // before each round; nullopt: end
    // Each report; its `settled` is true when nothing more is wanted.
    std::function<void(const JudgeRound &, CheckpointReport)> told;
    std::function<bool()> stopped;
};

// False: it ended before everything that is wanted became known.
bool judgeUntilKnown(Survey &survey, const JudgeLoop &loop);

}  // namespace rankdeck
