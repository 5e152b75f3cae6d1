// SPDX-License-Identifier: GPL-3.0-or-later
// Internals of Engine. The engine's thread owns all state unless a comment names another owner: all news reaches it as
// posted calls. Nodes, the survey and actions have their own threads and post their results.
#pragma once

#include "core/engine.h"
#include "core/engine/act_runner.h"
#include "core/engine/checkpoints/checkpoint_monitor.h"
#include "core/engine/flag_watch.h"
#include "core/engine/hang_scans.h"
#include "core/engine/logs/log_ingest.h"
#include "core/engine/logs/tail_budget.h"
#include "core/engine/rank_monitor.h"
#include "core/engine/scheduler/scheduler_watch.h"
#include "core/engine/shared_parts.h"
#include "core/engine/standing_alarms.h"
#include "core/journal/journal.h"
#include "core/recover/actions.h"
#include "core/recover/keep/kept_listings.h"
#include "core/run/history/history.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <thread>

namespace rankdeck {

class Engine::Impl final : public NodeListener, public ActionContext {
public:
    Impl(Job job, EngineOptions options);
    ~Impl() override;

    Status prepare();
    void start();
    void stop();
    void post(std::function<void()> call);

    // NodeListener: called on the threads of the nodes
    void nodeStatus(const std::string &node, const NodeStatus &status) override;
    void tailChunk(const std::string &node, TailChunk chunk) override;
    void tailEvent(const std::string &node, TailEvent event) override;
    void directory(const std::string &node, int id, Listing listing) override;
    void directoryUnchanged(const std::string &node, int id, std::int64_t asOfNs) override;
    void processes(const std::string &node, ProcessList list) override;
    void dateAttempt(const std::vector<int> &ranks);

    // ActionContext: called on the thread of the action
    [[nodiscard]] JobState view() const override;
    void waitForChange(SteadyTime deadline) override;
    NodeClient *node(const std::string &name) override;
    FileStore *cluster() override { return m_cluster.get(); }
    [[nodiscard]] SchedulerState scheduler() const override;
    Journal &journal() override { return *m_journal; }
    void attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom) override;
    void attemptCountsAnew(std::int64_t position) override;
    void expectLoads(const std::map<int, std::vector<std::string>> &paths) override;
    void refreshFlags() override;
    [[nodiscard]] bool stopRequested() const override { return m_stopping || m_cancelling; }
    std::optional<ConfirmedRung> takeConfirmedRung() override;
    [[nodiscard]] std::vector<PlacedSample> lossesBefore(int rank, std::int64_t from, std::int64_t to) const override;

    // acts
    Status startExit(ExitOptions options);
    Status cancelExit();
    Status escalate(ConfirmedRung rung);
    Status startResume(ResumeOptions options);
    bool waitAction(double seconds);

    const Job m_job;  // indexed
    EngineOptions m_options;
    mutable std::shared_mutex m_runMutex;
    Run m_run;

    // Guarded by m_mutex:
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_calls;
    std::shared_ptr<const Snapshot> m_snapshot;
    struct Subscriber {
        std::function<void()> changed;
        std::function<void(const Update &)> update;
    };
    std::map<int, std::shared_ptr<Subscriber>> m_subscribers;
    int m_nextSubscriber = 1;
    std::optional<ConfirmedRung> m_confirmed;  // confirmed force stop, until the running exit takes it

    std::unique_ptr<CheckpointMonitor> m_checkpoints;
    std::unique_ptr<ActRunner> m_planner;
    std::unique_ptr<ActRunner> m_keeper;
    std::vector<int> m_onScreen;  // engine thread
    bool m_watched = true;        // engine thread
    void sendWatches();
    [[nodiscard]] bool closing() const { return m_stopping; }                                // any thread
    [[nodiscard]] std::string logPathOf(int rank) const;                                     // of the newest snapshot
    [[nodiscard]] std::optional<Member> memberOf(const std::string &setId, int rank) const;  // of the newest snapshot
    LogIngest m_logs;

private:
    friend class Engine;
    struct PendingBackfill {
        LogIngest::Backfill what;
        int generation;
        Reply<std::vector<RangeReply>> reply;
    };

    void makeNode(const NodeSpec &spec);
    void loop();
    void turn();
    void everySecond();
    void askBackfills();
    void takeBackfills();
    void sendWatch(const NodeSpec &spec);
    [[nodiscard]] std::string logReader(const NodeSpec &spec) const;
    void passLogsOn();
    void takeKept(const JobState &view);
    void newReport(CheckpointMonitor::Found found);
    void learnOffsets();
    void samplesCame(int rank, int attempt, const std::vector<Sample> &samples, WallTime heard);
    void logEvent(int rank, const LogEvent &event, WallTime heard);
    void expectCheckpoints();
    void addEvent(Event event);
    void verdictEvents(const CheckpointReport &before, const CheckpointReport &after);
    void saveHistory();
    [[nodiscard]] bool isPublishDue(SteadyTime now) const;
    void publish();
    void tellDeaths(const Fates &fates, const JobState &view, WallTime now);
    void alarmChanged(const AlarmChange &change, int attempt);
    void watchAlarms();
    void schedulerAnswer(SchedulerState state);
    void tellSlurmJob();
    void tickRanks();  // checks which ranks are certainly gone now, and handles their last lines
    void takeStepSeconds();
    void judgeAlarms(Snapshot &next, bool numbersAlone);
    void fillView(JobState &view);
    [[nodiscard]] std::vector<std::string> awaited() const;
    [[nodiscard]] bool settled() const;
    void preflightWhenDue();
    void lookForOtherExits();
    void lookBackOnce();
    void setExit(const ExitReport &report);
    void exitEnded();
    void setResume(const ResumeReport &report);

    std::map<std::string, std::shared_ptr<Node>> m_nodes;
    std::map<std::string, std::shared_ptr<ConnectedNode>> m_handed;  // nodes that were already connected
    std::unique_ptr<FileStore> m_cluster;                            // store of graceful_exit.configmap
    std::unique_ptr<SchedulerWatch> m_schedulerWatch;                // nullptr: no scheduler owns the job
    std::shared_ptr<const SchedulerState> m_scheduler;               // its last report; has no answers at first
    HangScans m_hangScans{[this] { return rankdeck::readStacks(*this); },
                          [this](std::function<void()> call) { post(std::move(call)); }, [this] { m_dirty = true; }};
    std::unique_ptr<Journal> m_journal;
    std::unique_ptr<History> m_history;
    RankMonitor m_ranks;
    std::map<int, std::vector<int>> m_loggedReplicas;  // rank → ranks with the same parameters, from log lines
    FlagWatch m_flags;
    std::map<std::string, NodeStatus> m_status;
    std::map<std::string, std::string> m_logReaders;  // node → other node that reads its logs at present
    std::set<std::string> m_gaveUp;                   // nodes to which at least one connection attempt failed
    std::map<std::string, NodeState> m_nodeTold;      // the state in the newest event of a node
    std::set<std::string> m_processesSeen;
    CheckpointMonitor::Found m_found;
    bool m_foundOnce = false;
    bool m_wasSettled = false;  // has been settled at least once since the start
    // Watched directories of kept sets are numbered from here on.
    static constexpr int firstKeptDirectory = 1000;
    std::vector<KeptDirectory> m_keptDirectories = keptDirectories(m_job);
    std::shared_ptr<const KeptSets> m_kept = std::make_shared<const KeptSets>();  // kept sets in these directories
    bool m_attemptBegan = false;         // an attempt began, and the start of its processes has not been read yet
    bool m_keptChanged = true;           // m_kept must be made again
    Expectation m_expected;              // expectation with which the checkpoints are judged
    std::optional<WallTime> m_ranUntil;  // last time at which a rank was seen to run
    std::vector<PendingBackfill> m_backfills;
    Update m_update;
    std::vector<std::string> m_messages;
    std::vector<std::string> m_awaited;   // missing answers when the last news was handled
    std::optional<double> m_stepSeconds;  // step time of all ranks of m_stepSecondsOf, updated once a second
    int m_stepSecondsOf = -1;
    std::int64_t m_lineSteps = 1;   // steps between the two latest lines of a rank
    std::uint64_t m_bytesRead = 0;  // read from all nodes
    int m_containersEnded = 0;      // number of nodes whose container has ended
    bool m_slurmJobKnown = false;   // the Slurm job of the present processes is known
    std::optional<WallTime> m_historySaved;
    SteadyTime m_nextSecond = {};
    SteadyTime m_nextSave = {};
    SteadyTime m_nextLook = {};
    SteadyTime m_published = {};  // time of the newest snapshot
    std::chrono::nanoseconds m_publishRest = {};
    SteadyTime m_nextAlarms = {};
    std::uint64_t m_lastEvent = 0;
    SharedParts m_parts{m_job, m_run, m_logs, m_ranks};
    SharedVector<NodeStatus> m_nodeStates;  // in the order of the job

    std::set<int> m_reportedDead;  // dead ranks of m_deathsOfAttempt that were reported
    std::set<int> m_fateKnown;     // the same, plus ranks whose end needs no report
    int m_deathsOfAttempt = -1;
    StandingAlarms m_alarms;
    bool m_lookedBack = false;
    bool m_dirty = true;          // there is news
    bool m_numbersMoved = false;  // only numbers have changed (losses, latencies), which is not news alone
    std::uint64_t m_generation = 0;

    // Actions; their reports belong to the engine thread.
    std::unique_ptr<ActRunner> m_actor;
    std::optional<ExitReport> m_exit;
    std::optional<ResumeReport> m_resume;
    ExitReport m_preflight;
    std::optional<WallTime> m_preflightAt;
    bool m_stoppedElsewhere = false;
    SteadyTime m_nextPreflight = {};
    std::string m_unfinished;
    std::atomic<bool> m_acting = false;
    std::atomic<bool> m_exiting = false;
    std::atomic<bool> m_cancelling = false;
    std::atomic<bool> m_stopping = false;  // actions end; the engine's thread runs until they have ended
    std::atomic<bool> m_loopEnds = false;
    std::atomic<std::uint64_t> m_reportsMade = 0;  // count of reports made by actions
    std::uint64_t m_reportsTaken = 0;              // count of reports taken by the engine's thread
    std::uint64_t m_reportsPublished = 0;          // count of reports in snapshots; guarded by m_mutex
    std::atomic<std::uint64_t> m_flagReadings = 0;
    std::uint64_t m_seenByAct = 0;  // used on the thread of the action

    TailBudget m_tailBudget{64u << 20};
    std::thread m_thread;
};

}  // namespace rankdeck
