// SPDX-License-Identifier: GPL-3.0-or-later
// Requests about a node's processes, signals and launches: plain values. The start time and the boot id distinguish a
// process from a later one with the same pid. Unknown values are nullopt or empty; nothing here fails.
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
    bool envReadable = false;   // false: this login cannot read its environment (so no rank) and its open files
    std::string launchId = {};  // RANKDECK_LAUNCH_ID: set in a process that Rankdeck launched, and in its children
    std::string cwd;
    std::string exe;
    std::string stdoutPath;  // target of fd 1, if it is a file
    std::string stderrPath = {};
    std::vector<std::string> openPaths =
        {};  // those of ProcessQuery::paths that it has open for writing, spelled as in the query
    // Pids of the processes whose output it reads through a pipe. Set if it writes to one of the paths or feeds such a
    // process. Example: sed between a rank and its log.
    std::vector<int> feeders = {};
};

// A listed process that the kernel killed because memory ran out, from the kernel's own log.
struct ProcessOomKill {
    int pid = 0;
    std::uint64_t startTicks = 0;
    bool ofGroup = false;  // killed by a memory cgroup at its limit, not by the whole machine
    std::string text = {};
};

// How a listed process ended, as its node saw before its launcher collected it.
struct ProcessExit {
    int pid = 0;
    std::uint64_t startTicks = 0;
    int code = 0;  // negative: by that signal
};

struct ProcessList {
    std::vector<ProcessInfo> processes = {};
    std::string bootId = {};                    // boot id of the node, equal in all its processes
    bool complete = false;                      // this login can read every process that may be a rank
    std::vector<ProcessOomKill> oomKills = {};  // the latest 64; empty if this login cannot read the kernel's log
    std::vector<ProcessExit> exits = {};        // the latest 64 that could be observed; others are unknown
};

// Query for processes that meet at least one condition. Without any condition: all except kernel threads and probes.
struct ProcessQuery {
    std::vector<std::string> envNames = {};  // variables of which one must be set; their values are in ProcessInfo::env
    // Files, or directories that contain files, to which it writes.
    std::vector<std::string> paths = {};
    std::vector<int> pids = {};    // its pid is one of these
    bool everyDescriptor = false;  // compares all open files with `paths`, not only its stdout and stderr
    bool all = false;              // all processes, whatever the other fields say
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
};  // reason if it was not sent: "gone", "another process has this pid now" …

// Claim of a launch: its job and action. While a launch of one action lives, the node refuses a launch of another
// action for the same job in the same run directory. The error is conflict with jobHeldDetail, and its message names
// the holder. Nodes that share the directory also respect the claims of each other, if its file system has locks.
// Without locks the launch is refused as unsupported.
struct JobClaim {
    std::string key = {};     // equal on every console; form of a launch id. Empty: no claim
    std::string action = {};  // launches of one action share the claim
    std::string text = {};    // one line for the operator: attempt, USER@HOST of the console
    // Files and directories that the action reserves on that node, whichever key, link or mount leads to them;
    // absolute.
    std::vector<std::string> places = {};
};
inline constexpr const char *jobHeldDetail = "job held";  // Error::detail of that refusal

struct JobHolder {
    Known held = {};          // unknown: see reason
    std::string action = {};  // action of the JobClaim that holds it, or that held it last
    std::string text = {};
    std::optional<WallTime> since = {};     // start of the claim, by the clock of the node that took it
    std::string host = {};                  // host name of that node
    std::optional<ProcessId> process = {};  // one of its programs that lives on the node that was asked
    std::string reason = {};
    bool reserved = false;  // true: the action has launched nothing yet
};

// Rule of a node: whether it ends launched programs when the login that started them ends.
struct LogoutRule {
    Known endsLaunches = {};  // according to its settings
    std::string text = {};    // source of the rule, or the reason why it is unknown
};

struct LaunchRequest {
    std::string id;            // idempotency key: a second launch with it returns the first
    std::string runDirectory;  // on the node, created with mode 0700; contains lock, pid record and exit record
    std::vector<std::string> argv;
    std::map<std::string, std::string> env = {};  // added to the login's environment
    std::string workdir = {};
    std::string output = {};  // file for stdout and stderr, appended; created with its directories
    JobClaim job = {};
};
struct LaunchReply {
    bool startedNow = false;  // false: a launch with this id runs or ran already
    ProcessId process;
    std::optional<int> exitCode = {};  // set when it has ended; negative: by that signal
    std::string bootId = {};
    std::optional<WallTime> ended = {};  // set with exitCode, by the node's clock
    bool running = false;                // the process lives: same pid, start and boot, not a zombie
};

}  // namespace rankdeck
