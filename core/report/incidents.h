// SPDX-License-Identifier: GPL-3.0-or-later
// How each attempt of a job ended and how it went on: failed when and with which rank first, stopped by whom, decided
// when, lost how many steps, first step of the next attempt. From the history's events and the journal. Pure; what
// neither says stays empty: an attempt that another program ended has no decision here.
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
    std::vector<int> died = {};           // who was first stands first
    int first = 0;                        // so many of them went at one time, before the others
    std::string how = {};                 // the words of the first one
    std::optional<WallTime> notFinite = {};
    int notFiniteRank = -1;                // -1: nobody knows whose was the first
    std::string wrong = {};                // what else is wrong with it now
    std::optional<WallTime> stopped = {};  // by a graceful exit that is proven
    std::string stoppedBy = {};            // USER@HOST
    std::optional<WallTime> decided = {};  // the resume that followed was asked for
    std::string decidedBy = {};
    std::string outcome = {};  // of that resume, as the journal has it: "proven", "failed" …
    bool wentOn = false;       // another attempt followed
    std::optional<std::int64_t> lastStep = {}, resumedFrom = {};
    std::optional<WallTime> firstStep = {};  // of the next attempt; at the latest when it was proven

    [[nodiscard]] std::optional<std::int64_t> lostSteps() const;
    // Seconds from the failure (or the end of the stop) to the decision, and from there to the first step.
    [[nodiscard]] std::optional<double> toDecision() const;
    [[nodiscard]] std::optional<double> toFirstStep() const;
};

// firstSteps: attempt → when its first step was heard. alarms: that hold for the last attempt, which say what no event
// tells. Oldest first; an attempt that still runs well is none.
std::vector<Incident> incidentsOf(const std::vector<AttemptInfo> &attempts, const std::vector<Event> &events,
                                  const std::vector<JournalEntry> &journal, const std::map<int, WallTime> &firstSteps,
                                  const std::vector<Alarm> &alarms = {});

}  // namespace rankdeck
