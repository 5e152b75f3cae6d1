// SPDX-License-Identifier: GPL-3.0-or-later
// The report for who takes over the shift: what is wrong now, what happened to each attempt, what was decided and by
// whom, what it cost, what there is to go back to, what was done. Pure; says what it does not know.
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
    const JobState &view;  // must outlive it
    WallTime at = {};
    bool offline = false;
    bool settled = true;  // every node has answered or given up
    std::vector<Alarm> alarms = {};
    std::vector<Event> events = {};
    std::vector<JournalEntry> journal = {};
    std::map<int, WallTime> firstSteps = {};  // attempt → when its first step was heard
    LossCurves loss = {};
};

Document incidentReport(const ReportFacts &facts);
// What the columns of the loss need of the run, and when attempts began to step.
void takeRun(const Run &run, ReportFacts &facts);

}  // namespace rankdeck
