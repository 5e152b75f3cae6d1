// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of a node's processes, signals and launches: plain values. A process is told apart from a later one
// with its number by its start time and the boot.
#pragma once

#include "core/base/clock.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct ProcessId {
    int pid = 0;
    std::uint64_t startTicks = 0;  // field 22 of /proc/PID/stat
    std::string bootId = {};
    bool operator==(const ProcessId &) const = default;
};
struct ProcessInfo {
    ProcessId id;
    int parent = 0;
    int group = 0;
    int session = 0;
    std::uint32_t uid = 0;
    char state = '?';  // R S D T Z as in /proc
    WallTime started = {};
    std::string comm;
    std::vector<std::string> argv;
    std::map<std::string, std::string> env;  // only the names that were asked for
    bool envReadable = false;
    std::string cwd;
    std::string exe;
    std::string stdoutPath;  // target of fd 1 when it is a file
};

enum class Signal { term, kill, interrupt, stop, cont, user1, user2 };
struct SignalRequest {
    ProcessId process;
    Signal signal = Signal::term;
    bool wholeGroup = false;
};
struct SignalReply {
    bool sent = false;
    std::string reason = {};
};  // not sent: "gone", "another process has this pid now" …

struct LaunchRequest {
    std::string id;            // idempotency key: a second launch with it returns the first
    std::string runDirectory;  // on the node: lock, pid record, exit record; made 0700
    std::vector<std::string> argv;
    std::map<std::string, std::string> env = {};  // added to the login's environment
    std::string workdir = {};
    std::string output = {};  // stdout and stderr, appended; made with its directories
};
struct LaunchReply {
    bool startedNow = false;  // false: this id ran or runs already
    ProcessId process;
    std::optional<int> exitCode = {};  // when it has ended; negative: by that signal
    std::string bootId = {};
    std::optional<WallTime> ended = {};  // with exitCode, by the node's clock
    bool running = false;                // the process lives: same pid, start and boot, no zombie
};

}  // namespace rankdeck
