// SPDX-License-Identifier: GPL-3.0-or-later
// Why a rank died, told from the error that its log ends with and from its exit code. Pure; never fails: what is not
// recognised is FailureCause::unknown, and then the error's own words are shown.
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
    deviceOutOfMemory,  // of the NPU or GPU
    nonFinite,          // the script itself ended it because of a NaN or Inf
    missingModule,
    killed,  // SIGKILL, by an operator, a scheduler or the kernel
    terminated,
    gaspSaved,          // MindX DL's ExceptionCheckpoint raises so once SIGTERM was caught and the save was good
    crashed,            // SIGSEGV, SIGABRT, SIGBUS
    collectiveTimeout,  // gave up waiting for another rank
    peerLost,           // the connection to another rank ended
};

FailureCause causeOf(std::string_view error, std::optional<int> exitCode);
// "the disk is full"; empty for unknown.
const char *causeText(FailureCause cause);
// Whether the rank died of another rank's failure: it is a victim, never the first to blame.
bool isConsequence(FailureCause cause);
// Whether an error's text, frames included, is of a save that failed.
bool isOfASave(std::string_view error);
// Whether it is told by a signal's number alone: its text goes on from exitText().
bool isTellingSignal(FailureCause cause);
// "signal 9 (SIGKILL)", "exit code 137 (SIGKILL)" or "exit code 1".
std::string exitText(int exitCode);

}  // namespace rankdeck
