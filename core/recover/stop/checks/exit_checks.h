// SPDX-License-Identifier: GPL-3.0-or-later
// The individual checks of the exit's preflight, grouped by subject. Pure; each adds its findings.
#pragma once

#include "core/recover/stop/checks/exit_preflight.h"

namespace rankdeck {

using Findings = std::vector<Finding>;

// ---- the file (exit_checks_files.cpp)
void checkConfigs(Findings &into, const ExitFacts &facts);
void checkStopFiles(Findings &into, const ExitFacts &facts);
void checkSharing(Findings &into, const ExitFacts &facts);
void checkNamed(Findings &into, const ExitFacts &facts);

// ---- the ConfigMap (exit_checks_cluster.cpp)
void checkConfigMap(Findings &into, const JobState &view, const ExitFacts &facts);

// ---- the processes (exit_checks_ranks.cpp)
void checkRanks(Findings &into, const JobState &view, const ExitFacts &facts);
void checkEnvironment(Findings &into, const JobState &view, const ExitFacts &facts);
void checkController(Findings &into, const ExitFacts &facts);
void checkSignal(Findings &into, const JobState &view, const ExitFacts &facts);
void checkPace(Findings &into, const JobState &view, WallTime now);
void checkForcedEnd(Findings &into, const JobState &view, const ExitFacts &facts);

// ---- saves (exit_checks_saves.cpp)
void checkRoom(Findings &into, const JobState &view, const ExitFacts &facts);
void checkCheckpoints(Findings &into, const JobState &view, const ExitFacts &facts);

}  // namespace rankdeck
