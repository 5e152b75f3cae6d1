// SPDX-License-Identifier: GPL-3.0-or-later
// Plans, findings and outcomes of actions as the documented JSON and as text. Pure.
#pragma once

#include "app/ctl/command.h"

namespace rankdeck::ctl {

Json findingsJson(const std::vector<Finding> &findings);
Json planJson(const Plan &plan);
Json exitJson(const ExitReport &report);
Json lostWorkJson(const LostWork &price);  // null: unknown; with a null time: the duration of a step is unknown
Json elsewhereJson(const std::vector<ExitElsewhere> &others);
Json resumeJson(const ResumeReport &report);
void findingsText(const std::vector<Finding> &findings);
void planText(const Plan &plan, const std::string &said);  // omits the summary if said contains it already

}  // namespace rankdeck::ctl
