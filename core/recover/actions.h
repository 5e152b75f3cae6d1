// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabulary of acting: findings, plans, progress and proof as plain values. What is shown is what runs and what
// the journal keeps.
#pragma once

#include "core/base/clock.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"
#include "core/run/run.h"
#include "core/verdict/verdict.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

class NodeClient;
class Journal;

struct LostWork {
    std::int64_t steps = 0;
    double seconds = 0;
    double deviceHours = 0;
    std::optional<std::int64_t> since = {};
    bool known = false;
};

struct Finding {  // of a preflight
    enum class Result { ok, warn, refuse } result = Result::ok;
    std::string code;      // docs: "flag_already_set", "stale_train_ckpt" …
    std::string text;      // expected, found
    std::string fix = {};  // what to do, as a sentence
    bool fixable = false;  // the plan does it (resume: included in the plan's file steps)
    std::string node = {};
    int rank = -1;
};
const char *findingResultName(Finding::Result result);

struct FileEdit {
    std::string path;
    std::string before;
    std::string after;
    std::string diff;
    std::string expectedSha256;
};

struct ProcessEnd {  // of a survivor: the signal, and SIGKILL when it still runs ten seconds later
    ProcessId process;
    Signal signal = Signal::term;
    std::string text;  // "rank 3, pid 4711 (python)"
};
struct FileCopy {  // of a checkpoint that another node has; the hash is compared before it gets its name
    std::string fromNode;
    std::string from;
    std::string path;  // on this node; must not exist
    std::uint64_t bytes = 0;
};
struct NodePlan {
    std::string node;
    std::vector<ProcessEnd> ends = {};          // first of all; not undone
    std::vector<FileCopy> copies = {};          // next
    std::vector<FileActionRequest> files = {};  // in order, before the launch
    std::vector<FileEdit> edits = {};
    std::vector<LaunchRequest> launches = {};
};
struct Plan {
    std::string id;  // action id in the journal
    std::string summary;
    std::vector<NodePlan> nodes = {};
};
std::string planAsScript(const Plan &plan);  // bash that does the same by hand

// So many losses of a new attempt are compared with the old curve before they speak against it.
constexpr std::size_t firstSamplesKept = 9;

// A picture of the job at one moment, handed to actions by the engine.
struct RankState {
    int rank = 0;
    std::string node;
    RankProgress progress = {};
    std::optional<bool> alive = {};
    std::optional<ProcessInfo> process = {};
    std::string logPath = {};
    bool gracefulExitSeen = false;  // the WARNING, in the current attempt
    std::optional<WallTime> gracefulExitTime = {};
    std::optional<LogEvent> resumed = {};         // the script's line about its load, in the current attempt
    std::vector<PlacedSample> firstSamples = {};  // the first firstSamplesKept of the current attempt
    std::optional<int> exitCode = {};
};
struct FlagState {
    std::string node;
    std::string path;
    std::optional<int> value = {};
    bool armed = false;
    std::string problem = {};
    std::optional<WallTime> since = {};  // armed: the time of the file, by the node's clock
};

struct JobState {
    Job job;
    std::vector<NodeStatus> nodes = {};
    std::vector<RankState> ranks = {};
    std::vector<AttemptInfo> attempts = {};
    int attempt = -1;
    std::vector<FlagState> flags = {};
    CheckpointReport checkpoints = {};
    std::shared_ptr<const Inventory> inventory = std::make_shared<const Inventory>();  // shared; never null
    std::optional<double> stepSeconds = {};
    LostWork lostWork = {};
    std::int64_t stepsPerEpoch = 0;
    std::vector<Event> recentEvents = {};  // the last 200
    // Whether the newest checkpoint that was read carries graceful_exit/graceful_init: then the job's train cell obeys.
    std::optional<bool> newestIsGracefulReady = {};
};

// What an action needs from the engine. All calls come from the action's own thread.
class ActionContext {
public:
    virtual ~ActionContext() = default;
    [[nodiscard]] virtual JobState view() const = 0;
    // Returns when the view has changed since the last call, or at the deadline.
    virtual void waitForChange(SteadyTime deadline) = 0;
    virtual NodeClient *node(const std::string &name) = 0;  // nullptr: no such node
    virtual Journal &journal() = 0;
    virtual void attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom) = 0;  // a new attempt begins
    virtual void refreshFlags() = 0;                       // read the config files again, now
    [[nodiscard]] virtual bool stopRequested() const = 0;  // console closes, or the operator cancelled
    // What counted of a rank's losses before the current attempt, positions [from, to]: what the new ones are compared
    // with. Empty: not known, and the proof says so.
    [[nodiscard]] virtual std::vector<PlacedSample> lossesBefore(int /*rank*/, std::int64_t /*from*/,
                                                                 std::int64_t /*to*/) const
    {
        return {};
    }
};

// ---- graceful exit ----------------------------------------------------------------------------------------------

// How a job is asked to stop: MindSpore's JSON file, or what another framework's script obeys. By the job file.
enum class StopMethod { none, config, signal, stopFile, scancel };
const char *stopMethodName(StopMethod way);  // as in the JSON: "stop_file"

struct ExitOptions {
    bool dryRun = false;
    double waitSeconds = 600;
    bool allowUnreachable = false;  // write the reachable nodes although one is not
    std::string escalate = {};      // "" | "term" | "kill"
};
struct RankExit {
    int rank = -1;
    bool armed = false;      // its node's config says 1
    bool seen = false;       // has begun a step since: it has read the flag
    bool confirmed = false;  // logged the exit
    std::optional<WallTime> seenAt = {}, confirmedAt = {}, savedAt = {}, exitedAt = {};
    std::string savedPath = {};
    std::optional<Verdict> savedVerdict = {};  // of the set it belongs to
    bool exited = false;
    std::optional<int> exitCode = {};
    double lateSeconds = 0;  // behind the time at which it should have answered
    std::string note = {};   // "12 s late"
    // What was observed, as sentences: the log line, the file, the process.
    std::string seenBy = {}, confirmedBy = {}, savedBy = {}, exitedBy = {};
};

// One way down the ladder, with what it costs at this moment and whom it would hit.
struct ExitRung {
    std::string name = {};  // "graceful", "term", "kill"
    bool available = false;
    std::string text = {};  // what it does, or why it is not there
    LostWork price = {};
    std::vector<Finding> findings = {};
    struct Target {
        std::string node = {};
        int rank = -1;  // -1: scheduler, launcher and what hangs on it
        ProcessId process = {};
        int group = 0;
        std::string comm = {};
    };
    std::vector<Target> targets = {};
};

// Another console that is at it: by the journal that both keep.
struct ExitElsewhere {
    std::string action = {}, user = {}, host = {}, state = {};
    WallTime since = {};  // armed, else begun
    bool live = false;    // its process may run; false: it was killed in the middle
};
struct ExitReport {
    std::string phase = "preflight";  // preflight, arming, armed, saving, proving, resetting, done
    std::string outcome = {};         // "" while running; CONTRACT §3
    std::string text = {};
    std::vector<Finding> preflight = {};
    Plan plan = {};
    std::vector<RankExit> ranks = {};
    bool flagReset = false;
    bool cancellable = true;
    std::string journal = {};
    std::optional<WallTime> started = {};
    std::optional<std::string> set = {};  // what the exit saved and verdict VALID found
    StopMethod way = StopMethod::none;
    LostWork price = {};                        // of a kill at this moment; a graceful stop loses no finished step
    std::optional<double> answerSeconds = {};   // until the ranks are expected to read the flag
    std::vector<ExitRung> ladder = {};          // from the gentlest rung down
    std::vector<ExitElsewhere> elsewhere = {};  // other consoles' exits of this job that have not ended
};

// ---- resume -------------------------------------------------------------------------------------------------------

struct ResumeOptions {
    std::optional<std::string> set = {};  // else the recommended one
    bool dryRun = false;
    bool allowUnproven = false;
    double waitSeconds = 600;
    std::vector<std::string> fixes = {};  // codes of findings to fix; "all"
    bool stopOnAlarm = false;             // end what was started when it is shown not to continue from the set
    [[nodiscard]] bool fixing(const std::string &code) const
    {
        return std::find(fixes.begin(), fixes.end(), code) != fixes.end() ||
               std::find(fixes.begin(), fixes.end(), "all") != fixes.end();
    }
};
struct RankProof {
    int rank = -1;
    std::optional<std::int64_t> loadedGlobalStep = {};
    std::optional<std::int64_t> firstStep = {};  // position of the first sample
    std::optional<double> firstLoss = {}, oldLoss = {};
    std::string note = {};
    bool proven = false;
};
struct ResumeReport {
    std::string phase = "planning";  // planning, preflight, preparing, launching, proving, done
    std::string outcome = {};
    std::string text = {};
    std::string set = {};
    std::vector<Finding> preflight = {};
    Plan plan = {};
    std::vector<RankProof> ranks = {};
    std::optional<bool> continues = {};
    bool stopped = false;  // the new attempt was ended after an alarm
    std::string journal = {};
    std::optional<WallTime> started = {};
};

using ExitProgress = std::function<void(const ExitReport &)>;
using ResumeProgress = std::function<void(const ResumeReport &)>;

// Read-only: findings and what would be written where. Blocks on the nodes.
ExitReport planExit(ActionContext &host, const ExitOptions &options);
ResumeReport planResume(ActionContext &host, const ResumeOptions &options);

// Acts. Block until the outcome; progress is told at each change.
ExitReport runExit(ActionContext &host, const ExitOptions &options, const ExitProgress &progress);
ExitReport cancelExit(ActionContext &host, const ExitProgress &progress);  // also without an exit of ours in progress
ResumeReport runResume(ActionContext &host, const ResumeOptions &options, const ResumeProgress &progress);
// What a killed console left: puts a flag back to 0 when all ranks are gone, says what was found. "" when nothing was.
std::string finishInterrupted(ActionContext &host);

}  // namespace rankdeck
