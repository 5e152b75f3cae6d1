// SPDX-License-Identifier: GPL-3.0-or-later
// List of all checks for and against a resume, one file per check. Each check uses facts that were read before, and
// adds findings. Pure. In the facts, a missing answer has its own value and never counts as a no. The page
// docs/resume.md explains every code.
#pragma once

#include "core/recover/resume/facts/resume_facts.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

using Findings = std::vector<Finding>;

// All findings, in the order in which they are shown.
std::vector<Finding> resumeFindings(const ResumeFacts &facts);

// ---- nodes.cpp
void checkNodes(Findings &into, const ResumeFacts &facts);

// ---- machines.cpp: reports of the scheduler about the job's machines
void checkMachines(Findings &into, const ResumeFacts &facts);

// ---- devices.cpp: devices with memory errors in the ranks' own logs
void checkDevices(Findings &into, const ResumeFacts &facts);

// ---- running.cpp: whether an attempt of this job already runs, judged by its claim and by growing files. A run whose
// files grow counts as running, whatever the process list shows. A rank counts as gone only if its process was seen and
// has ended, or if its stop was proven.
// Time after which a log or checkpoint is not expected to grow again: max(60 s, 10 steps).
double quietSeconds(const JobState &view);
// Time of the newest write of ranks that may still run, by node, in ns of the files' own clock. This clock is used
// because the measured offset to our clock changes, which must not look like a write.
using NewestWrites = std::map<std::string, std::int64_t>;
NewestWrites newestWrites(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                          const RunningFacts &facts);
bool wroteSince(const NewestWrites &before, const NewestWrites &now);
std::vector<Finding> runningFindings(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                                     const RunningFacts &facts, const ResumeOptions &options);

// ---- leftovers.cpp
std::vector<Finding> leftoverFindings(const LeftoverFacts &facts, const ProcessSnapshot &picture,
                                      const LaunchPlan &launch, const ResumeOptions &options);
// node → processes that the wanted fixes end, each once.
std::map<std::string, std::vector<ProcessEnd>> leftoverEnds(const LeftoverFacts &facts, const ResumeOptions &options);

// ---- logout.cpp: whether the run outlives this console's login
std::vector<Finding> logoutFindings(const std::map<std::string, LogoutRule> &rules, const ResumeOptions &options);

// ---- starts_from_zero.cpp: launches that would load nothing or another set, and launches without evidence that they
// load the chosen set
void checkStart(Findings &into, const ResumeFacts &facts);
bool mayStartFromZero(const ResumeOptions &options);  // the operator allows it

// ---- launched_twice.cpp: a command that starts all ranks, but would be started once for each rank
void checkLaunchedTwice(Findings &into, const ResumeFacts &facts);

// ---- members.cpp
void checkMembers(Findings &into, const ResumeFacts &facts);

// ---- degrees.cpp: whether the launch's ranks can load the other ranks' files.
// Degrees by the names that checkpoints use (tensor_model_parallel_size …), from the command and its environment.
std::map<std::string, int> degreesOf(const LaunchSpec &launch);
// python: version of the interpreter that will load the set, by node; empty if unknown.
std::vector<Finding> degreeFindings(const Job &job, const CheckpointSet &set,
                                    const std::map<std::string, std::string> &python);

// ---- programs.cpp: the working directory, programs, interpreters, scripts
void checkLaunchPrograms(Findings &into, const ResumeFacts &facts);
void checkPrograms(Findings &into, const ResumeFacts &facts);

// ---- flag.cpp, graceful_set.cpp: remains of a graceful exit
void checkFlag(Findings &into, const ResumeFacts &facts);
void checkGracefulSet(Findings &into, const ResumeFacts &facts);

// ---- emergency.cpp: whether the script will really take the chosen emergency checkpoint
void checkEmergencyCheckpoints(Findings &into, const ResumeFacts &facts);

// ---- rank_folders.cpp: which file a script takes if it is not given one
void checkRankFolders(Findings &into, const ResumeFacts &facts);

// ---- saving.cpp: saves that the new attempt will not be able to make
void checkSaving(Findings &into, const ResumeFacts &facts);

// ---- strategy.cpp: the parallel strategy that Pangu's script is given
void checkStrategy(Findings &into, const ResumeFacts &facts);

// ---- protection.cpp: whether the requested fault tolerance will be available
void checkProtection(Findings &into, const ResumeFacts &facts);

// ---- outputs.cpp: unknown content of the places to which the new attempt writes
void checkOutputs(Findings &into, const ResumeFacts &facts);

// ---- places.cpp: permissions, room, and files that a framework would load without being asked
std::vector<Finding> placeFindings(const JobState &view, const CheckpointSet &set, const PlaceFacts &facts,
                                   const ResumeOptions &options);

}  // namespace rankdeck
