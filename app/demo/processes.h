// SPDX-License-Identifier: GPL-3.0-or-later
// Which processes belong to a demo cluster, from /proc: those that carry its mark in their environment, and what
// descends from them. Own user only, never this process, never pid 1. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace rankdeck::demo {

inline constexpr const char *clusterMark = "RANKDECK_DEMO";

struct ProcessStart {
    pid_t pid = 0;
    std::uint64_t startTicks = 0;  // field 22 of /proc/PID/stat: tells a process from a later one with its pid
    bool operator==(const ProcessStart &) const = default;
};

// startTicks 0: no such process (a zombie counts as gone).
ProcessStart processStart(pid_t pid);
bool isAlive(const ProcessStart &process);
std::string bootId();

// Marked with RANKDECK_DEMO=id, and roots that still live (an sshd overwrites its environment); descendants included.
std::vector<ProcessStart> processesOf(const std::string &id, const std::vector<ProcessStart> &roots = {});
// SIGKILL to all of them, again until none is left; false when some remain after the time.
bool killProcessesOf(const std::string &id, const std::vector<ProcessStart> &roots, double seconds);

}  // namespace rankdeck::demo
