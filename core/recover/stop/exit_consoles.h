// SPDX-License-Identifier: GPL-3.0-or-later
// Two consoles at one job: what the journal that both keep says about the other's exits. Its order decides who may
// write when both want to at the same moment.
#pragma once

#include "core/journal/journal.h"
#include "core/recover/action_context.h"
#include "core/recover/plan/plan.h"
#include "core/recover/stop/exit_report.h"

#include <string>
#include <vector>

namespace rankdeck {

// Exits of this job that have not ended, but for `own`; since: armed, else the first entry.
std::vector<ExitElsewhere> otherExits(const Journal &journal, const Job &job, const std::string &own);
// The exit that stood in the journal as about to write before `own` did, and whose console may live.
std::optional<ExitElsewhere> earlierExit(const Journal &journal, const Job &job, const std::string &own);

}  // namespace rankdeck
