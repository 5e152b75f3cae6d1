// SPDX-License-Identifier: GPL-3.0-or-later
// History of a job's attempts: failure with its time and first rank, stop with its user, decision, lost steps, first
// step of the next attempt. From the history's events and the journal. Pure. Facts in neither stay empty: an attempt
// that another program ended has no decision here.
#pragma once

#include "core/alarm/alarm.h"
#include "core/journal/journal.h"
#include "core/run/run.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct Incident {
    int attempt = 0;                      // the one that ended
    std::optional<WallTime> failed = {};  // of the first death
    std::vector<int> died = {};           // the first to fail comes first
    int first = 0;                        // number of ranks that ended at the same time, before the others
    std::string how = {};                 // reason of the first one
    std::optional<WallTime> notFinite = {};
    int notFiniteRank = -1;                // -1: unknown which rank was first
    std::string wrong = {};                // other problems with it now
    std::optional<WallTime> stopped = {};  // by a graceful exit that is proven
    std::string stoppedBy = {};            // USER@HOST
    std::optional<WallTime> decided = {};  // time of the request for the following resume
    std::string decidedBy = {};
    std::string outcome = {};  // of that resume, from the journal: "proven", "failed" …
    bool wentOn = false;       // another attempt followed
    std::optional<std::int64_t> lastStep = {}, resumedFrom = {};
    std::optional<WallTime> firstStep = {};  // of the next attempt; at the latest when it was proven

    [[nodiscard]] std::optional<std::int64_t> lostSteps() const;
    // Seconds from the failure (or the end of the stop) to the decision, and from there to the first step.
    [[nodiscard]] std::optional<double> toDecision() const;
    [[nodiscard]] std::optional<double> toFirstStep() const;
};

// firstSteps: attempt → arrival of its first step. alarms: those of the last attempt, for facts without an event.
// Oldest first. An attempt that still runs well is left out.
std::vector<Incident> incidentsOf(const std::vector<AttemptInfo> &attempts, const std::vector<Event> &events,
                                  const std::vector<JournalEntry> &journal, const std::map<int, WallTime> &firstSteps,
                                  const std::vector<Alarm> &alarms = {});

}  // namespace rankdeck
