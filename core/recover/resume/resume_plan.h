// SPDX-License-Identifier: GPL-3.0-or-later
// Plan of a resume, made before anything runs: edits, file steps and commands per node. Pure: uses only the facts. An
// unfit choice gives a plan with an id only.
#pragma once

#include "core/recover/plan.h"
#include "core/recover/resume/facts/resume_facts.h"

namespace rankdeck {

Plan resumePlan(const ResumeFacts &facts);

}  // namespace rankdeck
