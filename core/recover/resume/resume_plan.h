// SPDX-License-Identifier: GPL-3.0-or-later
// Plan of a resume, made before anything runs: edits, file steps and commands per node. Pure: uses only the facts. If
// the choice is not fit, the plan contains only an id.
#pragma once

#include "core/recover/plan.h"
#include "core/recover/resume/facts/resume_facts.h"

namespace rankdeck {

Plan resumePlan(const ResumeFacts &facts);

}  // namespace rankdeck
