// SPDX-License-Identifier: GPL-3.0-or-later
// State of each rank apart from its losses: its process, whether it lives, and its log lines about an exit, a load or
// an error. It does not decide which ranks have died: core/state/fates.h does so from these values. Engine thread. If a
// node does not answer, the state of its living ranks is unknown, never dead. A rank that was never seen is unknown,
// however long it is silent.
#pragma once

#include "core/base/clock.h"
#include "core/base/known.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"
#include "core/recover/host/rank_processes.h"
#include "core/run/history/history.h"
#include "core/run/run.h"
#include "core/state/job_state.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rankdeck {

class RankMonitor {
public:
    explicit RankMonitor(const Job &job);

    // sorted: the processes of this job in the node's list. Returns the ranks that have changed.
    std::vector<int> processes(const NodeSpec &node, const JobProcesses &sorted, const ProcessList &list);
    void containerEnded(const NodeSpec &node);  // none of its processes is left
    void silent(const NodeSpec &node);          // the node is not live any more: the state of its processes is unknown
    // at: time of the line, as far as it is known
    void logEvent(int rank, const LogEvent &event, const std::string &path = {}, WallTime at = wallNow());
    // Takes an event of the current attempt from the history, because its line is not read again. lastStep: position in
    // its log.
    void saidBefore(const Event &event, std::optional<std::int64_t> lastStep = {});
    // A rank's process, as an earlier console of this history saw it in the current attempt. As soon as the same
    // machine lists its processes, it is known to run or to be gone. Otherwise the rank is treated as never seen.
    void seenBefore(const RankSighting &sighting);
    // Processes of ranks that may still run, and of ended ranks until their fate is known.
    [[nodiscard]] std::vector<RankSighting> sightings(int attempt, const std::set<int> &fateKnown) const;
    // Process of a rank that may still run; nullopt: never seen, or gone.
    [[nodiscard]] std::optional<RankSighting> sighting(int rank) const;
    void attemptBegan(int attempt);  // earlier log lines are of the previous attempt
    // lastOffset: of the newest sample's line in the rank's log
    void samplesCame(int rank, std::uint64_t lastOffset, WallTime heard = wallNow());
    // Interval between the lines of a rank, in seconds. A rank that is silent for much longer no longer logs.
    void lineEvery(double seconds) { m_lineSeconds = seconds; }
    // Ranks without a process whose state will be decided within seconds, unless they log again. early: the interval
    // between lines is still unknown.
    [[nodiscard]] std::vector<int> undecided(bool early) const;
    // True if the time for a rank's last lines is over, so that its fate or its last line is now certain.
    bool tick();
    [[nodiscard]] std::optional<SteadyTime> due() const
    {
        return m_due;
    }  // time at which tick() will have news, if known
    // Ranks whose processes have ended, and whose last lines are awaited.
    [[nodiscard]] std::vector<int> leaving() const;
    // True if the launcher's output reported the end of that rank, which already is an event.
    [[nodiscard]] bool launcherTold(int rank) const;
    [[nodiscard]] std::vector<int> pidsOn(const NodeSpec &node) const;  // pids of its ranks that may live
    [[nodiscard]] std::optional<int> rankOfPid(const std::string &node, int pid) const;
    // Fills in everything except progress, log path and first samples.
    void fill(RankState &state) const;
    [[nodiscard]] bool anyAlive() const;
    // True if a save may be in progress: a rank lives or may live unseen. Also true for a while after a relaunch, when
    // its processes are not seen yet.
    [[nodiscard]] bool running() const;
    [[nodiscard]] std::vector<int> alive() const;

private:
    struct Rank {
        std::optional<ProcessInfo> process = {};
        Known alive = {};
        std::optional<SteadyTime> gone = {};    // time at which a process missing in the list is certainly gone
        std::optional<SteadyTime> speaks = {};  // time after which no last message of it is expected
        std::optional<WallTime> goneSince = {};
        std::optional<WallTime> listed = {};  // last time at which its process was listed
        std::optional<OomKill> oomKill = {};
        bool seenAlive = false;
        bool endTold = false;     // an earlier console reported its end
        bool seenBefore = false;  // an earlier console saw its process, which was not checked yet
        std::string node = {};
        bool graceful = false;
        std::optional<WallTime> gracefulAt = {};
        std::optional<LogEvent> resumed = {};
        std::optional<int> exitCode = {};  // reported by its launcher
        std::optional<int> exitSeen = {};  // seen by its node
        std::optional<RankError> error = {};
        std::optional<Awaited> awaited = {};
        std::optional<double> tried = {};  // time of the last try, by the log's own clock
        std::uint64_t sampleOffset = 0;
        SteadyTime sampled = {};
        std::optional<WallTime> absent = {};  // last time at which its node's list was complete and did not contain it
        bool missing = false;                 // that list contained other ranks of the job
        bool deserted = false;                // that list contained no process of the job
    };
    static void forgetSighting(Rank &rank);
    [[nodiscard]] Known livesUnseen(const Rank &rank) const;
    [[nodiscard]] static bool isDeserted(const JobProcesses &sorted, int number);
    [[nodiscard]] bool isMourned(const Rank &rank) const;
    void takeError(Rank &rank, RankError error);
    static void takeAwaited(Rank &rank, const LogEvent &event, WallTime at);
    [[nodiscard]] bool isMissing(const Rank &rank) const;
    [[nodiscard]] SteadyTime::duration quietTime(SteadyTime::duration longest) const;
    // True if a new report of the kernel is about this rank's own process.
    static bool takeOomKill(const std::vector<ProcessOomKill> &kills, Rank &rank);
    static bool takeExit(const std::vector<ProcessExit> &exits, Rank &rank);  // the same for reports about its exit
    void left(Rank &rank);

    std::map<int, Rank> m_ranks;
    std::map<std::pair<std::string, int>, int> m_pids;  // (node, pid) → rank; also of processes that are gone
    std::optional<SteadyTime> m_relaunched = {}, m_due = {};
    std::optional<double> m_lineSeconds = {};
    std::optional<WallTime> m_gaveUp = {};  // last time at which a rank of this attempt reported that its peer failed
};

}  // namespace rankdeck
