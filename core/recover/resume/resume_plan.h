// SPDX-License-Identifier: GPL-3.0-or-later
// A resume written down before anything runs: per node the edits, the file steps and the commands. Pure: what is not in the
// facts is not known. Of a choice that is not fit the plan has its id alone.
#pragma once

#include "core/recover/plan.h"
#include "core/recover/resume/facts/resume_facts.h"

namespace rankdeck {

Plan resumePlan(const ResumeFacts &facts);

}  // namespace rankdeck
