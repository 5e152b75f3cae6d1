// SPDX-License-Identifier: GPL-3.0-or-later
// What speaks for and against a resume, as findings: the one list of checks, over facts that were all read before, and each
// check in a file of its own. Pure; what was not answered is a value of its own in the facts, and never counts as a no.
// docs/resume.md explains every code.
#pragma once

#include "core/recover/resume/facts/resume_facts.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

using Findings = std::vector<Finding>;

// All of them, in the order in which they are shown.
std::vector<Finding> resumeFindings(const ResumeFacts &facts);

// ---- nodes.cpp
void checkNodes(Findings &into, const ResumeFacts &facts);

// ---- machines.cpp: what the scheduler says of the machines that the job was on
void checkMachines(Findings &into, const ResumeFacts &facts);

// ---- devices.cpp: devices of which the ranks' own logs said that their memory is at fault
void checkDevices(Findings &into, const ResumeFacts &facts);

// ---- running.cpp: whether an attempt of this job runs already, by its claim and by what still grows. A run that is seen to
// move is running, whatever the list of processes says; only a rank whose process was seen and is seen no more, or whose
// stop was proven, is known to be gone.
// So long after a log or checkpoint grew it may grow again: max(60 s, 10 steps).
double quietSeconds(const JobState &view);
// The newest writes of ranks that are not known to be gone, by node, in ns of the clock that the files have: how far that
// is from ours is measured ever anew, and nothing must seem to be written because of it.
using NewestWrites = std::map<std::string, std::int64_t>;
NewestWrites newestWrites(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                          const RunningFacts &facts);
bool wroteSince(const NewestWrites &before, const NewestWrites &now);
std::vector<Finding> runningFindings(const JobState &view, const PathStats &book, const ProcessSnapshot &processes,
                                     const RunningFacts &facts, const ResumeOptions &options);

// ---- survivors.cpp
std::vector<Finding> survivorFindings(const SurvivorFacts &facts, const ProcessSnapshot &picture,
                                      const LaunchPlan &launch, const ResumeOptions &options);
// node → what the wanted fixes end, each once.
std::map<std::string, std::vector<ProcessEnd>> survivorEnds(const SurvivorFacts &facts, const ResumeOptions &options);

// ---- logout.cpp: whether the run outlives this console's login
std::vector<Finding> logoutFindings(const std::map<std::string, LogoutRule> &rules, const ResumeOptions &options);

// ---- starts_from_zero.cpp: launches that would load nothing, or not the chosen set, and those of which nothing shows that they
// load it
void checkStart(Findings &into, const ResumeFacts &facts);
bool mayStartFromZero(const ResumeOptions &options);  // the operator says so

// ---- launched_twice.cpp: what starts all ranks, started once for each of them
void checkLaunchedTwice(Findings &into, const ResumeFacts &facts);

// ---- members.cpp
void checkMembers(Findings &into, const ResumeFacts &facts);

// ---- degrees.cpp: whether the ranks of the launch can load what other ranks saved
// Degrees by the names that checkpoints use (tensor_model_parallel_size …), as the command and its environment say.
std::map<std::string, int> degreesOf(const LaunchSpec &launch);
// python: version of the interpreter that will load, by node; empty where it is not known.
std::vector<Finding> degreeFindings(const Job &job, const CheckpointSet &set,
                                    const std::map<std::string, std::string> &python);

// ---- programs.cpp: the working directory, programs, interpreters, scripts
void checkLaunchPrograms(Findings &into, const ResumeFacts &facts);
void checkPrograms(Findings &into, const ResumeFacts &facts);

// ---- flag.cpp, graceful_set.cpp: what a graceful exit has left
void checkFlag(Findings &into, const ResumeFacts &facts);
void checkGracefulSet(Findings &into, const ResumeFacts &facts);

// ---- gasps.cpp: whether the script will really take the dying gasp that was chosen
void checkGasps(Findings &into, const ResumeFacts &facts);

// ---- rank_folders.cpp: which file a script takes that is told none
void checkRankFolders(Findings &into, const ResumeFacts &facts);

// ---- saving.cpp: what the new attempt will not be able to save
void checkSaving(Findings &into, const ResumeFacts &facts);

// ---- strategy.cpp: the parallel strategy that Pangu's script is told to load
void checkStrategy(Findings &into, const ResumeFacts &facts);

// ---- protection.cpp: whether the fault tolerance that is asked for will be there
void checkProtection(Findings &into, const ResumeFacts &facts);

// ---- outputs.cpp: what lies where the new attempt writes, and is not known
void checkOutputs(Findings &into, const ResumeFacts &facts);

// ---- places.cpp: rights, room, what a framework would load by itself
std::vector<Finding> placeFindings(const JobState &view, const CheckpointSet &set, const PlaceFacts &facts,
                                   const ResumeOptions &options);

}  // namespace rankdeck
