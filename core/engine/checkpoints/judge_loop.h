// SPDX-License-Identifier: GPL-3.0-or-later
// Judges, reads what would change the verdicts, and judges again, until nothing more becomes known: the one loop for a
// job that is watched and for a directory that is looked at once. A checkpoint that cannot be read, or of which there is
// nothing to read, is an answer like any other and keeps no other one from being read. Blocks; one thread.
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
    // Each report; its settled says that nothing more is wanted.
    std::function<void(const JudgeRound &, CheckpointReport)> told;
    std::function<bool()> stopped;
};

// False: it ended before everything that is wanted became known.
bool judgeUntilKnown(Survey &survey, const JudgeLoop &loop);

}  // namespace rankdeck
