// SPDX-License-Identifier: GPL-3.0-or-later
// Why a rank ended, by the error that its log ends with and by its exit code: one table of causes and one of phrases. Pure; never
// fails: an error that no phrase is found in has FailureCause::unknown, and then its own text is shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

enum class FailureCause {
    unknown,
    diskFull,           // also a quota, or a file size limit
    outOfMemory,        // of the host
    groupOutOfMemory,   // of a memory cgroup: a container, a job of Slurm, a unit of systemd
    sharedMemory,       // /dev/shm is too small
    deviceOutOfMemory,  // of the NPU or GPU
    deviceFault,        // the device reports an error of its hardware or of a kernel
    nonFinite,          // the script itself ended it because of a NaN or Inf
    missingModule,
    badCheckpoint,  // a file that it loads is damaged or does not fit
    dataWorker,     // a worker of its data loader was killed
    portInUse,
    killed,  // SIGKILL, by an operator, a scheduler or the kernel
    terminated,
    interrupted,        // Ctrl-C
    emergencySaved,     // MindX DL's ExceptionCheckpoint raises this after SIGTERM and a good save
    crashed,            // SIGSEGV, SIGABRT, SIGBUS
    collectiveTimeout,  // gave up waiting for another rank
    peerLost,           // the connection to another rank ended
    cancelled,          // by the scheduler, which gives no reason
    preempted,
    timeLimit,
    nodeFailed,
    evicted,
};

// A culprit failed on its own account, and a victim followed another rank. The scheduler or the kernel ended a rank from outside.
enum class CauseRole { none, culprit, victim, scheduler, kernel };
const char *causeRoleName(CauseRole role);  // "culprit" …; nullptr for none

FailureCause causeOf(std::string_view error, std::optional<int> exitCode);
// "the disk is full"; empty for unknown.
const char *causeText(FailureCause cause);
const char *causeCode(FailureCause cause);  // "disk_full" …: stable, in the JSON
CauseRole causeRole(FailureCause cause);
// Whether the rank ended because of another rank or of the whole job: it is never the first to blame.
bool isConsequence(FailureCause cause);
// Whether an error's text, frames included, is of a save that failed.
bool isOfASave(std::string_view error);
// Whether a signal's number alone shows it: its text continues that of exitText().
bool isTellingSignal(FailureCause cause);
// "signal 9 (SIGKILL)", "exit code 137 (SIGKILL)" or "exit code 1".
std::string exitText(int exitCode);
// The time that it waited, from the error, in seconds: "ran for 1200027 milliseconds before timing out".
std::optional<double> waitedSeconds(std::string_view error);

// Whether a line without a logger's "ERROR" reports the end of its process. These are glog's error and fatal lines with
// a known cause. Also messages of Slurm, of the C and C++ run time and of the shell.
bool reportsAnEnd(std::string_view line);

}  // namespace rankdeck
