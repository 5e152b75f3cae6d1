// SPDX-License-Identifier: GPL-3.0-or-later
// Code that all commands of rankdeckctl share: global options, exit codes, output, and Ctrl-C handling. Each command
// has its own file and a function that runs it and returns the exit code.
#pragma once

#include "core/base/known.h"
#include "core/base/result.h"
#include "core/engine.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rankdeck::ctl {

using Json = nlohmann::ordered_json;

enum ExitCode { done = 0, answerIsNo = 1, usage = 2, unreachable = 3, internal = 4, interrupted = 130 };

struct Globals {
    bool json = false;
    std::string job = {};
    std::string sshConfig = {};
    std::string stateDirectory = {};
    bool acceptNewHostKeys = false;
    double timeout = 30;
    bool verbose = false;
};

struct CheckpointsOptions {
    std::string directory = {};
    int worldSize = 0;
    bool explain = false;
    std::string prove = {};  // the id of a set
};
struct InspectOptions {
    std::vector<std::string> files = {};
};
struct LogsOptions {
    std::vector<std::string> files = {};
    bool explain = true;  // the only mode so far
};
struct WatchOptions {
    double seconds = 0;
    bool plain = false;
};
struct ExitCommand {
    bool dryRun = false;
    bool cancel = false;
    double wait = 600;
    std::string escalate = {};
    bool reachableOnly = false;
};
struct ResumeCommand {
    std::string set = {};
    bool dryRun = false;
    bool allowUnproven = false;
    double wait = 600;
    std::vector<std::string> fixes = {};
    bool script = false;
    bool stopOnAlarm = false;
};

struct KeepCommand {
    std::string set = {};
    bool list = false;
    bool remove = false;
    bool restore = false;
    bool dryRun = false;
};

struct DiscoverCommand {
    std::vector<std::string> hosts = {};
    std::string write = {};
    KubernetesSpec kubernetes = {};  // how to reach pods among the hosts
};

struct ReportCommand {
    std::string html = {}, markdown = {};  // paths; if both are empty: Markdown on stdout
};

int discover(const Globals &globals, const DiscoverCommand &options);
int status(const Globals &globals);
int watch(const Globals &globals, const WatchOptions &options);
int checkpoints(const Globals &globals, const CheckpointsOptions &options);
int knownSets(const Globals &globals);  // from the local history only; one line per set: id, tab, verdict
int inspect(const Globals &globals, const InspectOptions &options);
int logs(const Globals &globals, const LogsOptions &options);
int gracefulExit(const Globals &globals, const ExitCommand &options);
int resume(const Globals &globals, const ResumeCommand &options);
int keep(const Globals &globals, const KeepCommand &options);
int stacks(const Globals &globals);
int journal(const Globals &globals);
int report(const Globals &globals, const ReportCommand &options);

// ---- shared -------------------------------------------------------------------------------------------------------

// Reports the error on stderr and returns the exit code for its kind.
int say(const Error &error);
void warn(const std::string &text);
void print(const Json &document);  // on one line for watch, otherwise indented
void printLine(const Json &object);

// An engine for the job of the global options, or an exit code.
struct Opened {
    std::unique_ptr<Engine> engine = {};
    int code = done;
};
// The global options must name a job.
enum class Looking { atNodes, notYet, inHistory };  // notYet: the caller starts the engine
Opened open(const Globals &globals, Looking looking = Looking::atNodes, bool explain = false);
// Nodes that are not live, with the reason, joined by "; ": "node n0 is lost: …".
std::string notLiveText(const Snapshot &snapshot);
// Waits until each node has answered or given up. Returns done, interrupted, or unreachable (after reporting which
// nodes and why).
int settle(Engine &engine, const Globals &globals, bool needAllNodes);

// True once the user wants to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT).
void catchSignals();
bool interruptRequested();

Json lossJson(double loss);  // NaN and Inf as strings, because JSON has no such numbers
template <class T>
Json orNull(const std::optional<T> &value)
{
    return value ? Json(*value) : Json(nullptr);
}
inline Json orNull(Known answer) { return answer.isUnknown() ? Json(nullptr) : Json(answer.isYes()); }

}  // namespace rankdeck::ctl
