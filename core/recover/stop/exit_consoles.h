// SPDX-License-Identifier: GPL-3.0-or-later
// Other consoles of the same job: their exits and resumes in the shared journal. The journal's order decides which of
// two simultaneous actions may write. Error if the journal cannot be read, because the other actions are then unknown.
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

// Unfinished exits of this job, except `own`. since: time when armed, otherwise of the first entry.
Result<std::vector<ExitElsewhere>> otherExits(const Journal &journal, const Job &job, const std::string &own);
// Resumes of this job whose console may live and whose commands do not all run yet: they edit the config and start
// ranks.
Result<std::vector<ExitElsewhere>> otherResumes(const Journal &journal, const Job &job, const std::string &own);
// The exit or resume that was about to write before `own` by the journal's order, and whose console may live. Also an
// error if `own` is not in the journal: then this is not the journal that it was written to.
Result<std::optional<ExitElsewhere>> earlierAct(const Journal &journal, const Job &job, const std::string &own);

}  // namespace rankdeck
