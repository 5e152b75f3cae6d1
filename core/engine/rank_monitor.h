// SPDX-License-Identifier: GPL-3.0-or-later
// State of each rank apart from its losses: its process, whether it lives, and its log lines about an exit, a load or
// an error. It does not decide which ranks died: core/state/fates.h does, from the values filled in here. Engine
// thread. If a node does not answer, its living ranks are unknown, never dead. A rank that was never seen is unknown,
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

    // sorted: this job's part of the node's list. Returns the ranks that have changed.
    std::vector<int> processes(const NodeSpec &node, const JobProcesses &sorted, const ProcessList &list);
    void containerEnded(const NodeSpec &node);  // no process of it is left
    void silent(const NodeSpec &node);          // the node is not live any more: the state of its processes is unknown
    // at: time of the line, as far as it is known
    void logEvent(int rank, const LogEvent &event, const std::string &path = {}, WallTime at = wallNow());
    // An event of the current attempt from the history: its line is not read again. lastStep: position of its log.
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
    // How far apart the lines of a rank are, in seconds: a rank that has not logged for much longer does not log any more.
    void lineEvery(double seconds) { m_lineSeconds = seconds; }
    // Ranks without a process that become decided within seconds, unless they log again. early: the distance of lines
    // is unknown so far.
    [[nodiscard]] std::vector<int> undecided(bool early) const;
    // True if the time for a rank's last lines is over, so that its fate or its last line is certain now.
    bool tick();
    [[nodiscard]] std::optional<SteadyTime> due() const
    {
        return m_due;
    }  // time of the next tick with news, as far as known
    // Ranks whose processes have ended, and whose last lines are awaited.
    [[nodiscard]] std::vector<int> leaving() const;
    // Its output reported the end of that rank, which is an event already.
    [[nodiscard]] bool launcherTold(int rank) const;
    [[nodiscard]] std::vector<int> pidsOn(const NodeSpec &node) const;  // of its ranks that may live
    [[nodiscard]] std::optional<int> rankOfPid(const std::string &node, int pid) const;
    // Everything but progress, log path and first sample.
    void fill(RankState &state) const;
    [[nodiscard]] bool anyAlive() const;
    // Whether a save may be in progress: a rank lives or may live unseen. Also if a relaunch is so recent that its
    // processes are not seen yet.
    [[nodiscard]] bool running() const;
    [[nodiscard]] std::vector<int> alive() const;

private:
    struct Rank {
        std::optional<ProcessInfo> process = {};
        Known alive = {};
        std::optional<SteadyTime> gone = {};    // listed before, now gone: the time at which that is certain
        std::optional<SteadyTime> speaks = {};  // the time at which no last message of it is awaited any more
        std::optional<WallTime> goneSince = {};
        std::optional<WallTime> listed = {};  // when its process was listed last
        std::optional<OomKill> oomKill = {};
        bool seenAlive = false;
        bool endTold = false;     // an earlier console reported its end
        bool seenBefore = false;  // process was seen by an earlier console, and was not checked yet
        std::string node = {};
        bool graceful = false;
        std::optional<WallTime> gracefulAt = {};
        std::optional<LogEvent> resumed = {};
        std::optional<int> exitCode = {};  // reported by its launcher
        std::optional<int> exitSeen = {};  // seen by its node
        std::optional<RankError> error = {};
        std::optional<Awaited> awaited = {};
        std::optional<double> tried = {};  // the last try by the log's own clock
        std::uint64_t sampleOffset = 0;
        SteadyTime sampled = {};
        std::optional<WallTime> absent = {};  // when its node was last listed without it and with no process hidden
        bool missing = false;                 // and with other recognised ranks of the job
        bool deserted = false;                // and without any other process of the job
    };
    static void forgetSighting(Rank &rank);
    [[nodiscard]] Known livesUnseen(const Rank &rank) const;
    [[nodiscard]] static bool isDeserted(const JobProcesses &sorted, int number);
    [[nodiscard]] bool isMourned(const Rank &rank) const;
    void takeError(Rank &rank, RankError error);
    static void takeAwaited(Rank &rank, const LogEvent &event, WallTime at);
    [[nodiscard]] bool isMissing(const Rank &rank) const;
    [[nodiscard]] SteadyTime::duration quietTime(SteadyTime::duration longest) const;
    // True when the kernel's report about this rank's own process is among them, and is new.
    static bool takeOomKill(const std::vector<ProcessOomKill> &kills, Rank &rank);
    static bool takeExit(const std::vector<ProcessExit> &exits, Rank &rank);  // the same for how it ended
    void left(Rank &rank);

    std::map<int, Rank> m_ranks;
    std::map<std::pair<std::string, int>, int> m_pids;  // also of those that are gone
    std::optional<SteadyTime> m_relaunched = {}, m_due = {};
    std::optional<double> m_lineSeconds = {};
    std::optional<WallTime> m_gaveUp = {};  // when a rank of this attempt last reported that its peer failed
};

}  // namespace rankdeck
