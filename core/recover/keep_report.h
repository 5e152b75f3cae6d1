// SPDX-License-Identifier: GPL-3.0-or-later
// Keeping a set out of rotation's reach: every file of it gets a second name (or, where it is written again under its
// name, a copy) beside the checkpoint directory of its node, in <directory>.rankdeck-kept/<set>/. What lies there is never
// judged as a set of the run. Plain values.
#pragma once

#include "core/base/word.h"
#include "core/recover/plan.h"
#include "core/state/kept_sets.h"

#include <array>
#include <string>
#include <vector>

namespace rankdeck {

enum class KeepAct { keep, restore, remove };
struct KeepOptions {
    std::string set = {};
    KeepAct act = KeepAct::keep;
    bool dryRun = false;
};

// "" while it runs.
inline constexpr std::array keepOutcomes{PlainWord{""},        PlainWord{"kept"},    PlainWord{"restored"},
                                         PlainWord{"removed"}, PlainWord{"refused"}, PlainWord{"dry_run"},
                                         PlainWord{"failed"}};
using KeepOutcome = Word<keepOutcomes>;

struct KeepReport {
    KeepOutcome outcome = {};
    std::string set = {};
    std::string text = {};  // a sentence
    std::vector<KeptFiles> nodes = {};
    Plan plan = {};
    std::string journal = {};
};

}  // namespace rankdeck
