// SPDX-License-Identifier: GPL-3.0-or-later
// Cause of a rank's end, derived from the error at the end of its log and its exit code. One table has the causes,
// another the phrases. Pure; never fails. An error without a known phrase has FailureCause::unknown, and its own text
// is shown instead.
#pragma once

#include "core/base/message.h"

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
    deviceFault,        // the device reports an error in its hardware or in a kernel
    nonFinite,          // the script itself stopped because of a NaN or Inf
    missingModule,
    badCheckpoint,  // a file that it loads is damaged or does not fit
    dataWorker,     // a worker of its data loader was killed
    portInUse,
    killed,  // SIGKILL, by an operator, a scheduler or the kernel
    terminated,
    interrupted,        // Ctrl-C
    emergencySaved,     // raised by MindX DL's ExceptionCheckpoint after SIGTERM and a good save
    crashed,            // SIGSEGV, SIGABRT, SIGBUS
    collectiveTimeout,  // gave up waiting for another rank
    peerLost,           // the connection to another rank ended
    cancelled,          // ended by the scheduler, which gives no reason
    preempted,
    timeLimit,
    nodeFailed,
    evicted,
};

// culprit: the rank failed for its own reason. victim: it followed another rank. scheduler, kernel: the rank was ended
// from outside.
enum class CauseRole { none, culprit, victim, scheduler, kernel };
const char *causeRoleName(CauseRole role);  // "culprit" …; nullptr for none

FailureCause causeOf(std::string_view error, std::optional<int> exitCode);
// "the disk is full"; empty for unknown.
Message causeText(FailureCause cause);
const char *causeCode(FailureCause cause);  // "disk_full" …: stable, in the JSON
CauseRole causeRole(FailureCause cause);
// True if the rank ended because of another rank or of the whole job: such a rank never counts as the first to fail.
bool isConsequence(FailureCause cause);
// True if an error's text, including its frames, belongs to a failed save.
bool isOfASave(std::string_view error);
// True if the signal number alone shows the cause; its text then continues that of exitText().
bool isTellingSignal(FailureCause cause);
// "signal 9 (SIGKILL)", "exit code 137 (SIGKILL)" or "exit code 1".
std::string exitText(int exitCode);
// Seconds that the rank had waited, taken from the error: "ran for 1200027 milliseconds before timing out".
std::optional<double> waitedSeconds(std::string_view error);

// True if a line reports the end of its process, although it has no logger's "ERROR". These are glog's error and fatal
// lines with a known cause. Also messages of Slurm, of the C and C++ run time and of the shell.
bool reportsAnEnd(std::string_view line);

}  // namespace rankdeck
