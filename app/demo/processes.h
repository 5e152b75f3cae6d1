// SPDX-License-Identifier: GPL-3.0-or-later
// Processes of a demo cluster, from /proc: those with its mark in their environment, and their descendants. Only
// processes of this user, never this process, never pid 1. Any thread.
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
    std::uint64_t startTicks = 0;  // field 22 of /proc/PID/stat, to detect a reused pid
    bool operator==(const ProcessStart &) const = default;
};

// startTicks 0: no such process (a zombie counts as ended).
ProcessStart processStart(pid_t pid);
bool isAlive(const ProcessStart &process);
std::string bootId();

// Processes marked with RANKDECK_DEMO=id, the roots that are still alive (an sshd overwrites its environment), and
// their descendants.
std::vector<ProcessStart> processesOf(const std::string &id, const std::vector<ProcessStart> &roots = {});
// Sends SIGKILL to all of them until none is left; returns false if some remain after this time.
bool killProcessesOf(const std::string &id, const std::vector<ProcessStart> &roots, double seconds);

}  // namespace rankdeck::demo
