// SPDX-License-Identifier: GPL-3.0-or-later
// Plans, findings and outcomes of acts as the documented JSON and as text. Pure.
#pragma once

#include "app/ctl/command.h"

namespace rankdeck::ctl {

Json findingsJson(const std::vector<Finding> &findings);
Json planJson(const Plan &plan);
Json exitJson(const ExitReport &report);
Json lostWorkJson(const LostWork &price);  // null: not known; a time of null: what a step takes is not
Json elsewhereJson(const std::vector<ExitElsewhere> &others);
Json resumeJson(const ResumeReport &report);
void findingsText(const std::vector<Finding> &findings);
void planText(const Plan &plan, const std::string &said);  // without its summary, where that is said already

}  // namespace rankdeck::ctl
