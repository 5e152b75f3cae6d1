// SPDX-License-Identifier: GPL-3.0-or-later
// Requests about a node's processes, signals and launches: plain values. A process is distinguished from a later one
// with the same pid by its start time and the boot. Unknown values are nullopt or empty; nothing here fails.
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"

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
    std::string user = {};  // its name, or the uid as text
    char state = '?';       // R S D T Z as in /proc
    WallTime started = {};
    std::string comm;
    std::vector<std::string> argv;
    std::map<std::string, std::string> env;  // only the requested names
    bool envReadable = false;   // false: its rank cannot be read from here; its files are not readable either
    std::string launchId = {};  // RANKDECK_LAUNCH_ID: set in a process that Rankdeck launched, and in its children
    std::string cwd;
    std::string exe;
    std::string stdoutPath;  // target of fd 1 when it is a file
    std::string stderrPath = {};
    std::vector<std::string> openPaths =
        {};  // of ProcessQuery::paths, as they were asked: those that it has open to write
    // Pids whose output it reads through a pipe, if it writes one of the paths or feeds such a process. Example: sed
    // between a rank and its log.
    std::vector<int> feeders = {};
};

// A listed process that the kernel killed because memory ran out, from the kernel's own log.
struct ProcessOomKill {
    int pid = 0;
    std::uint64_t startTicks = 0;
    bool ofGroup = false;  // killed by a memory cgroup at its limit, not by the whole machine
    std::string text = {};
};

// How a process that was listed before ended, as its node saw before its launcher took it.
struct ProcessExit {
    int pid = 0;
    std::uint64_t startTicks = 0;
    int code = 0;  // negative: by that signal
};

struct ProcessList {
    std::vector<ProcessInfo> processes = {};
    std::string bootId = {};                    // of the node; in each process as well
    bool complete = false;                      // no process that may be a rank was closed to the login that looked
    std::vector<ProcessOomKill> oomKills = {};  // the latest 64; empty if this login cannot read the kernel's log
    std::vector<ProcessExit> exits = {};        // the latest 64 that could be seen; others are unknown
};

// Which processes are wanted: those that meet one of these. Without any condition, all but kernel threads and probes.
struct ProcessQuery {
    std::vector<std::string> envNames = {};  // one of them is in its environment; they come back in ProcessInfo::env
    // It writes to one of these files, or to a file below one of these directories.
    std::vector<std::string> paths = {};
    std::vector<int> pids = {};    // it is one of these
    bool everyDescriptor = false;  // all open files are compared with paths, not only its output and errors
    bool all = false;              // independent of the other fields
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

// Job and action of a launch. While a launch of one action lives, the node refuses a launch of another action for the
// same job in the same run directory. The error is conflict with jobHeldDetail, and its message names the holder. It is
// also effective between nodes that share the directory, as far as its file system has locks. Without locks the launch
// is refused as unsupported.
struct JobClaim {
    std::string key = {};     // equal on every console; same form as a launch id. Empty: no claim
    std::string action = {};  // launches of one action share the claim
    std::string text = {};    // one line for people: attempt, USER@HOST of the console
    // Files and directories reserved for the action on that node, whatever key, link or mount leads to them; absolute.
    std::vector<std::string> places = {};
};
inline constexpr const char *jobHeldDetail = "job held";  // Error::detail of that refusal

struct JobHolder {
    Known held = {};          // unknown: see reason
    std::string action = {};  // of the JobClaim that holds it, or that held it last
    std::string text = {};
    std::optional<WallTime> since = {};     // by the clock of the node that took it
    std::string host = {};                  // that node's name
    std::optional<ProcessId> process = {};  // a program of it that lives on the node that was asked
    std::string reason = {};
    bool reserved = false;  // for an action that has launched nothing yet
};

// Whether the node ends a launched program when the login that started it ends.
struct LogoutRule {
    Known endsLaunches = {};  // by its settings
    std::string text = {};    // where this is known from, or why it is not
};

struct LaunchRequest {
    std::string id;            // idempotency key: a second launch with it returns the first
    std::string runDirectory;  // on the node: lock, pid record, exit record; made 0700
    std::vector<std::string> argv;
    std::map<std::string, std::string> env = {};  // added to the login's environment
    std::string workdir = {};
    std::string output = {};  // stdout and stderr, appended; made with its directories
    JobClaim job = {};
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
