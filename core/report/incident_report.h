// SPDX-License-Identifier: GPL-3.0-or-later
// Report for the next shift: present problems, the history of each attempt, decisions with their users, lost work, sets
// to go back to, actions. Pure; names its gaps.
#pragma once

#include "core/alarm/alarm.h"
#include "core/report/document.h"
#include "core/report/incidents.h"
#include "core/report/loss_drawing.h"
#include "core/state/job_state.h"

#include <string>
#include <vector>

namespace rankdeck {

struct ReportFacts {
    const JobState &view;  // must live longer than the report
    WallTime at = {};
    bool offline = false;
    bool settled = true;  // every node has answered or given up
    std::vector<Alarm> alarms = {};
    std::vector<Event> events = {};
    std::vector<JournalEntry> journal = {};
    std::map<int, WallTime> firstSteps = {};  // attempt → arrival of its first step
    LossCurves loss = {};
};

Document incidentReport(const ReportFacts &facts);
// Takes from the run the columns of the loss, and the times at which attempts made their first step.
void takeRun(const Run &run, ReportFacts &facts);

}  // namespace rankdeck
