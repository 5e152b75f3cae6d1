// SPDX-License-Identifier: GPL-3.0-or-later
// A job of real processes on real nodes ("local": the real probe over a pipe; or sshd), watched by the real Engine. The
// engine is also the context of actions. Each test has one job directory. The job may be changed until it is first
// used; after a later change, the next use opens a new console on it. Throws if the job cannot be started, because the
// test has failed then.
#pragma once

#include "core/engine.h"
#include "core/journal/journal.h"
#include "core/node/node.h"
#include "core/node/protocol/node_link.h"
#include "core/recover/actions.h"
#include "tests/testbed/engine/switched_sessions.h"
#include "tests/testbed/temp_dir.h"
#include "tests/testbed/test_clock.h"
#include "tests/testbed/words.h"

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rankdeck {

// The nodes: this machine by default, otherwise an ssh host for each node.
struct EngineNodes {
    std::vector<std::string> hosts = {};
    std::string sshConfig = {};
    LinkTiming timing = {};
};

class EngineHost final : public ActionContext {
public:
    // ranks: ranks of each node; recipe: "command" or "msrun".
    EngineHost(const std::vector<std::vector<int>> &ranks, const std::string &recipe, EngineNodes where = {});
    ~EngineHost() override;  // ends every process that has this job's directory in its environment

    // Starts the first attempt like the recipe, but with only the first words of the command. Returns when the attempt
    // makes steps.
    void startFirst(std::size_t words = 2);
    void waitStep(std::int64_t step);  // according to the logs themselves
    bool waitFor(const std::function<bool()> &condition, double seconds = 60) const;
    void endAll();  // SIGKILL to all ranks, waits until they are gone
    // Like endAll, and sets the times of the job's files back by two minutes. Then a console that opens now has not
    // seen the ranks, and no file seems to belong to a running job.
    void endLongAgo();
    void crashLongAgo();  // startFirst, endLongAgo
    // Returns when the engine's job state shows correctly which ranks run and which are gone. If none runs, it also
    // waits until every line is read and every checkpoint is judged. Returns at once while a node is away.
    void catchUp();
    void allJudged();  // waits until every set has been judged; the ranks must not save any more (FAKE_LAST)
    void stopNode(const std::string &name);  // the node's link ends, until joinNode()
    void joinNode(const std::string &name);  // lets the node reconnect
    // Makes the node's probe run behind these arguments from now on: "setpriv …", a shell that limits it.
    void putBehind(const std::string &name, const std::vector<std::string> &words);
    // The engine that watches the job. It is settled, and its job state contains every running process.
    Engine &engine();
    void closeEngine();  // the next use opens a new one on the same state directory
    // Runs an exit as the programs do, with progress from the snapshots.
    ExitReport exit(const ExitOptions &options, const ExitProgress &progress = {});

    [[nodiscard]] std::string directory() const { return m_dir.path(); }
    [[nodiscard]] std::string file(const std::string &name) const { return m_dir.file(name); }
    [[nodiscard]] std::string read(const std::string &name) const { return m_dir.read(name); }
    void write(const std::string &name, const std::string &bytes) const { m_dir.write(name, bytes); }
    [[nodiscard]] bool exists(const std::string &name) const;
    [[nodiscard]] std::vector<int> pids() const;      // pids of this job's ranks, scheduler and launchers
    [[nodiscard]] std::vector<int> rankPids() const;  // pids of its ranks, by rank; -1: not running
    [[nodiscard]] std::vector<std::string> journalStates(const std::string &kind);
    [[nodiscard]] std::string gracefulSet() const;  // id of the set that an exit saved; empty: none

    // ActionContext: passed to the engine
    [[nodiscard]] JobState view() const override;
    void waitForChange(SteadyTime deadline) override;
    NodeClient *node(const std::string &name) override;
    FileStore *cluster() override;
    [[nodiscard]] SchedulerState scheduler() const override;
    Journal &journal() override;
    void attemptLaunched(WallTime at, std::optional<std::int64_t> resumedFrom) override;
    void attemptCountsAnew(std::int64_t position) override;
    void expectLoads(const std::map<int, std::vector<std::string>> &paths) override;
    void refreshFlags() override;
    [[nodiscard]] bool stopRequested() const override { return stop; }
    [[nodiscard]] std::optional<ConfirmedRung> takeConfirmedRung() override;
    [[nodiscard]] std::vector<PlacedSample> lossesBefore(int rank, std::int64_t from, std::int64_t to) const override;

    // The clocks of the engine with its actions, and of the links. They are separate, because advancing the first must
    // not look like silence of a link.
    TestClock clock;
    ShiftedClock links;
    Job job;
    std::atomic<bool> stop = false;
    int launched = 0;

private:
    mutable std::set<std::pair<int, std::string>> m_ours;  // processes of this job, by pid and start
    [[nodiscard]] std::string logOf(int rank) const;
    [[nodiscard]] bool seesAll(const JobState &state) const;
    [[nodiscard]] bool seesCheckpoints(const JobState &state) const;
    ActionContext &context() const;

    TempDir m_dir;
    EngineNodes m_where;
    std::shared_ptr<SwitchedSessions> m_sessions = std::make_shared<SwitchedSessions>();
    mutable std::unique_ptr<Engine> m_engine;
    mutable std::string m_watched;  // the job as the engine knows it
};

// While it exists, the clock of the actions runs faster after an exit has withdrawn its request. Later checks of the
// exit find nothing new if no rank runs.
class FasterAfterReset {
public:
    explicit FasterAfterReset(EngineHost &host);
    ~FasterAfterReset();
    FasterAfterReset(const FasterAfterReset &) = delete;
    FasterAfterReset &operator=(const FasterAfterReset &) = delete;

private:
    EngineHost &m_host;
    std::jthread m_thread;
};

// The actions, as a console runs them that has watched until now.
ExitReport planExit(EngineHost &host, const ExitOptions &options);
ExitReport runExit(EngineHost &host, const ExitOptions &options, const ExitProgress &progress);
ResumeReport planResume(EngineHost &host, const ResumeOptions &options);
ResumeReport runResume(EngineHost &host, const ResumeOptions &options, const ResumeProgress &progress);

}  // namespace rankdeck
