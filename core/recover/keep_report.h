// SPDX-License-Identifier: GPL-3.0-or-later
// Report of keeping a set, so that rotation cannot delete it. Every file gets a second name (a hard link) in
// <directory>.rankdeck-kept/<set>/, beside the checkpoint directory of its node. A file that the run rewrites under its
// name is copied instead. Files in that directory are never judged as a set of the run. Plain values.
#pragma once

#include "core/base/message.h"
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
    Message text = {};  // a sentence
    std::vector<KeptFiles> nodes = {};
    Plan plan = {};
    std::string journal = {};
};

}  // namespace rankdeck
