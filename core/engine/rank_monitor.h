// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of each rank besides its losses: its process, whether it lives, what its log said about an exit, a load
// or an error. It judges nobody: who died is told by core/state/fates.h from what it fills in. Engine thread. A node that
// does not answer makes its living ranks unknown, never dead; a rank that was never seen is unknown however long it is
// silent.
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

    // sorted: what of the node's list is this job's. Returns the ranks of whom something is new.
    std::vector<int> processes(const NodeSpec &node, const JobProcesses &sorted, const ProcessList &list);
    void containerEnded(const NodeSpec &node);  // no process of it is left
    void silent(const NodeSpec &node);          // the node is not live any more: what its processes do is not known
    // at: when it was written, as far as that can be known
    void logEvent(int rank, const LogEvent &event, const std::string &path = {}, WallTime at = wallNow());
    // In the current attempt, as the history knows it: its line is not read again. lastStep: where its log stands.
    void saidBefore(const Event &event, std::optional<std::int64_t> lastStep = {});
    // Its process, as an earlier console of this history saw it in the current attempt: still it, or known to be gone, as soon
    // as the same machine's list says so; else it is as if nobody had seen it.
    void seenBefore(const RankSighting &sighting);
    // Of those that are not known to be gone, and of those that are until it is known how.
    [[nodiscard]] std::vector<RankSighting> sightings(int attempt, const std::set<int> &fateKnown) const;
    // Of one that is not known to be gone; nullopt: none was seen, or it is gone.
    [[nodiscard]] std::optional<RankSighting> sighting(int rank) const;
    void attemptBegan(int attempt);  // what the log said before is of the attempt before
    // lastOffset: of the newest sample's line in the rank's log
    void samplesCame(int rank, std::uint64_t lastOffset, WallTime heard = wallNow());
    // How far apart the lines of a rank are, in seconds: a rank that has not logged for much longer does not log any more.
    void lineEvery(double seconds) { m_lineSeconds = seconds; }
    // Ranks without a process whose fate is known within seconds, unless they log again. early: the distance of lines is
    // unknown so far.
    [[nodiscard]] std::vector<int> undecided(bool early) const;
    // True when a rank's last lines have had their time, so that its fate is certain now, or its last word.
    bool tick();
    [[nodiscard]] std::optional<SteadyTime> due() const
    {
        return m_due;
    }                                                 // of the next tick that tells something, as far as is known
    [[nodiscard]] std::vector<int> leaving() const;   // whose processes have gone, and whose last words are awaited
    [[nodiscard]] bool launcherTold(int rank) const;  // its output said how that rank ended, which is an event already
    [[nodiscard]] std::vector<int> pidsOn(const NodeSpec &node) const;  // of its ranks that may live
    [[nodiscard]] std::optional<int> rankOfPid(const std::string &node, int pid) const;
    // Everything but progress, log path and first sample.
    void fill(RankState &state) const;
    [[nodiscard]] bool anyAlive() const;
    // Whether somebody may be saving: a rank lives or may live unseen, or a relaunch is so young that its processes are not seen yet.
    [[nodiscard]] bool running() const;
    [[nodiscard]] std::vector<int> alive() const;

private:
    struct Rank {
        std::optional<ProcessInfo> process = {};
        Known alive = {};
        std::optional<SteadyTime> gone = {};    // seen, then vanished: when that is certain
        std::optional<SteadyTime> speaks = {};  // when no last word of it is awaited any more
        std::optional<WallTime> goneSince = {};
        std::optional<WallTime> listed = {};  // when its process was seen last
        std::optional<OomKill> oomKill = {};
        bool seenAlive = false;
        bool endTold = false;     // an earlier console saw it gone
        bool seenBefore = false;  // process is of an earlier console's sight, and was not looked for yet
        std::string node = {};
        bool graceful = false;
        std::optional<WallTime> gracefulAt = {};
        std::optional<LogEvent> resumed = {};
        std::optional<int> exitCode = {};  // as its launcher told
        std::optional<int> exitSeen = {};  // as its node saw
        std::optional<RankError> error = {};
        std::optional<Awaited> awaited = {};
        std::optional<double> tried = {};  // the last try by the log's own clock
        std::uint64_t sampleOffset = 0;
        SteadyTime sampled = {};
        std::optional<WallTime> absent = {};  // when its node was listed last without it and without hiding anybody
        bool missing = false;                 // and with other ranks of the job, which were told apart there
        bool deserted = false;                // and with nothing else of the job
    };
    static void forgetSighting(Rank &rank);
    [[nodiscard]] Known livesUnseen(const Rank &rank) const;
    [[nodiscard]] static bool isDeserted(const JobProcesses &sorted, int number);
    [[nodiscard]] bool isMourned(const Rank &rank) const;
    void takeError(Rank &rank, RankError error);
    static void takeAwaited(Rank &rank, const LogEvent &event, WallTime at);
    [[nodiscard]] bool isMissing(const Rank &rank) const;
    [[nodiscard]] SteadyTime::duration quietTime(SteadyTime::duration longest) const;
    // True when the kernel's word of this rank's own process is among them, and is news.
    static bool takeOomKill(const std::vector<ProcessOomKill> &kills, Rank &rank);
    static bool takeExit(const std::vector<ProcessExit> &exits, Rank &rank);  // the same of how it ended
    void left(Rank &rank);

    std::map<int, Rank> m_ranks;
    std::map<std::pair<std::string, int>, int> m_pids;  // also of those that are gone
    std::optional<SteadyTime> m_relaunched = {}, m_due = {};
    std::optional<double> m_lineSeconds = {};
    std::optional<WallTime> m_gaveUp = {};  // when one of this attempt said last that its peer failed it
};

}  // namespace rankdeck
