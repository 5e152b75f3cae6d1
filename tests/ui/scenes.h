// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up states of one job of 8 ranks on 2 nodes, each in the form that the engine reports.
#pragma once

#include "tests/ui/fixed_feed.h"

namespace rankdeck::ui::scenes {

inline constexpr std::int64_t lastStep = 40'712;
inline constexpr std::int64_t newestValidStep = 40'600;

WallTime now();                                    // time of all scenes
void train(Run &run, std::int64_t to = lastStep);  // two attempts, saves every 200 steps
Snapshot healthy();
Snapshot died();                              // rank 5 at 41,037; the two newest sets are unusable
Snapshot stopping(int confirmed, int saved);  // stop requested; 0: it can be cancelled
Snapshot stoppingBySignal();                  // a script of another framework: two ranks have left
Snapshot stopped();
std::vector<ExitRung> ladderOf(const Snapshot &snapshot);  // the ranks; for SIGKILL the launcher too
Snapshot resumable();                                      // the job died, and no process runs any more
Snapshot proven();
Snapshot notProven();
Snapshot empty();                                            // connecting, everything is unknown
ResumeReport plannedResume(const ResumeOptions &options);    // one refusal that can be fixed, one warning
KeepReport plannedPutBack(KeepOutcome outcome = "dry_run");  // plan for 40,200
Evidence tornEvidence();
std::vector<PlacedPart> tornPlaces();
std::string workerLog(int rank);
std::vector<JournalEntry> journal();
Finding finding(Finding::Result result, FindingCode code, const Message &text, const Message &fix = {});

}  // namespace rankdeck::ui::scenes
