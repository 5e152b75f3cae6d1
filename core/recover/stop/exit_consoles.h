// SPDX-License-Identifier: GPL-3.0-or-later
// Other consoles of the same job: their exits and resumes in the shared journal. If two actions begin at the same time,
// the order in the journal decides which of them may write. Error if the journal cannot be read, because the other
// actions are then unknown.
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
// Resumes of this job that are still editing the config or starting ranks, and whose console may live.
Result<std::vector<ExitElsewhere>> otherResumes(const Journal &journal, const Job &job, const std::string &own);
// The exit or resume that comes before `own` in the journal, was about to write, and whose console may live. Error also
// if `own` is missing in the journal: then the entry was written to another journal.
Result<std::optional<ExitElsewhere>> earlierAct(const Journal &journal, const Job &job, const std::string &own);

}  // namespace rankdeck
