// SPDX-License-Identifier: GPL-3.0-or-later
// Two consoles at one job: what the journal that both keep says about the other's exits and resumes. Its order decides
// who may write when both want to at the same moment. Error when the journal cannot be read: then it is not known.
#pragma once

#include "core/base/result.h"
#include "core/journal/journal.h"
#include "core/recover/action_context.h"
#include "core/recover/exit_report.h"
#include "core/recover/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

// Exits of this job that have not ended, but for `own`; since: armed, else the first entry.
Result<std::vector<ExitElsewhere>> otherExits(const Journal &journal, const Job &job, const std::string &own);
// Resumes of this job whose console may live and whose commands do not all run yet: they edit the config and start ranks.
Result<std::vector<ExitElsewhere>> otherResumes(const Journal &journal, const Job &job, const std::string &own);
// The exit or resume that stood in the journal as about to write before `own` did, and whose console may live. Error too
// when `own` does not stand there: then this is not the journal that it was written into.
Result<std::optional<ExitElsewhere>> earlierAct(const Journal &journal, const Job &job, const std::string &own);

}  // namespace rankdeck
