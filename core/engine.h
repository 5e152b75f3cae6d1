// SPDX-License-Identifier: GPL-3.0-or-later
// Engine of one job, and the only interface for both programs. It drives node → follow → parse → run → verdict, and the
// actions. Any thread may call; nothing here waits for a node. Listeners are called on the engine's thread: post and
// return. The snapshot is an immutable value, new at each generation.
#pragma once

#include "core/alarm/alarm.h"
#include "core/base/result.h"
#include "core/job/job.h"
#include "core/node/connected_node.h"
#include "core/node/node.h"
#include "core/recover/actions.h"
#include "core/run/run.h"
#include "core/verdict/verdict.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct EngineOptions {
    ConnectOptions connect = {};
    std::string stateDirectory = {};  // empty: the default
    bool keepHistory = true;
    bool connectToNodes = true;                     // false: offline, from the history only
    bool explain = false;                           // checkpoint reports have the table of what was inferred
    bool freshPreflight = false;                    // keeps Snapshot::exitPreflight at most 10 s old
    std::shared_ptr<SessionFactory> sessions = {};  // empty: the real one
    std::shared_ptr<const LinkTiming> timing = {};  // of heartbeats and leases; empty: the usual
    // Connected nodes of the job, by name: they are watched from start() on as they are. A node whose host is another
    // one in the job is not taken.
    std::map<std::string, std::shared_ptr<ConnectedNode>> connected = {};
};

struct SchedulerState;  // core/scheduler/scheduler_state.h

struct Snapshot {
    std::uint64_t generation = 0;
    WallTime at = {};
    JobState view = {};
    std::uint64_t samples = 0;
    std::uint64_t bytesRead = 0;
    bool settled = false;                   // every node answered or gave up, logs and checkpoints seen once
    std::vector<std::string> awaited = {};  // until it is settled: "the logs of node0" …
    double backfill = 1;                    // share of the logs that is read
    std::optional<ExitReport> exit = {};    // running, or the last one
    std::optional<ResumeReport> resume = {};
    bool stoppedElsewhere = false;  // an exit of another console of this journal is in progress
    ExitReport exitPreflight = {};  // kept fresh (≤ 10 s old) while live
    std::optional<WallTime> exitPreflightAt = {};
    std::string historyPath = {};
    std::optional<WallTime> historySaved = {};
    std::vector<std::string> messages = {};                // warnings about the job file, history …
    std::string unfinished = {};                           // what an interrupted console left; empty when nothing
    std::vector<Alarm> alarms = {};                        // what is wrong at that time, the worst first
    std::shared_ptr<const SchedulerState> scheduler = {};  // nullptr: none owns the job, or it has not answered yet
    std::shared_ptr<const HangScan> hangScan = {};         // at what all ranks do; nullptr: none was due yet
};

// The graceful exit of the attempt that is shown; nullptr: none, or a later attempt has begun since.
const ExitReport *exitOfAttempt(const Snapshot &snapshot);
// Input of the alarms and texts; it refers to the snapshot, which must outlive it.
Picture pictureOf(const Snapshot &snapshot, WallTime now);

struct Inspection {  // of one checkpoint file of a set
    Evidence evidence = {};
    std::vector<PlacedPart> places = {};  // its rows in the table of saves and places; empty: its set is gone
};

struct AlarmChange {
    Alarm alarm;
    bool ended = false;
    WallTime time = {};  // when it was seen
    double seconds = 0;  // ended: how long it lasted
};

struct Update {                                        // what happened since the last one, for `watch` and log views
    std::vector<std::pair<int, Sample>> samples = {};  // rank, sample; globalStep is filled with the position
    int attempt = 0;
    std::vector<Event> events = {};
    std::vector<NodeStatus> nodes = {};
    std::vector<CheckpointSet> verdicts = {};  // new or changed
    std::vector<AlarmChange> alarms = {};      // begun or ended
};

class Engine {
public:
    // Error invalid: a bad pattern of the job file, or state that cannot be kept.
    static Result<std::unique_ptr<Engine>> make(Job job, EngineOptions options);
    ~Engine();

    void start();
    void stop();

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    // Blocks up to the deadline; true when settled. For the headless program.
    bool waitSettled(double seconds);
    std::uint64_t waitChange(std::uint64_t seenGeneration, double seconds);

    // Returns an id for unsubscribe. snapshotChanged: at most ten times a second.
    int subscribe(std::function<void()> snapshotChanged, std::function<void(const Update &)> update = {});
    void unsubscribe(int id);

    // The run under a shared lock: keep it short (a query, no waiting).
    void withRun(const std::function<void(const Run &)> &use) const;

    void answer(const std::string &node, Answer answer);
    void retryNow(const std::string &node);
    void setOnScreen(std::vector<int> ranks);  // their logs are polled faster
    // Whether a user watches the snapshot (default: yes). If not, changed numbers alone make a new snapshot only once a
    // second; everything else is published as fast as usual.
    void setWatched(bool watched);

    // Reads of a log around an offset, for the log view; calls back on the engine's thread.
    void readLog(int rank, std::uint64_t offset, std::uint32_t bytes, std::function<void(Result<RangeReply>)> done);
    // The evidence of one rank's file, with its tensors, and its place in the table. Reads up to L3 if necessary.
    void inspect(const std::string &setId, int rank, std::function<void(Result<Inspection>)> done);
    void checkDeeper(const std::string &setId, std::function<void(double share)> progress,
                     std::function<void(bool whole)> done);
    void cancelDeeper();

    // Acting: one action at a time; a second start is refused with Error conflict.
    Status startExit(ExitOptions options);
    Status cancelExit();
    // A rung below the graceful one, with exactly the processes that the operator was shown. A running exit takes it;
    // without one, an exit begins at this rung. Error invalid: an empty list; conflict: a resume runs.
    Status escalate(ConfirmedRung rung);
    Status startResume(ResumeOptions options);
    Result<ResumeReport> planResume(ResumeOptions options);  // blocks on the nodes: not on the GUI thread
    Result<ExitReport> planExit(ExitOptions options);        // same
    void requestPlanResume(ResumeOptions options,
                           std::function<void(Result<ResumeReport>)> done);  // calls back on the engine's thread
    // Runs beside any other action, also beside a stop. Calls back on a separate thread.
    void keep(KeepOptions options, std::function<void(KeepReport)> done);
    Result<std::vector<KeptSet>> kept();  // blocks on the nodes
    std::vector<RankStack> readStacks();  // blocks on the nodes for about a second
    bool waitAction(double seconds);      // true when no action runs any more

private:
    friend ActionContext &actionContextOf(Engine &engine);  // core/engine/engine_context.h
    Engine();
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
