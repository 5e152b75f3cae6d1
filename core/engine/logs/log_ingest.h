// SPDX-License-Identifier: GPL-3.0-or-later
// All followed logs of a job: turns bytes into lines, samples and events, and adds these to the run, rank by rank.
// Begins a new attempt when a log does (log_attempt.h), back-fills its older part, newest lines first, and remembers
// the position in each log. Engine thread; takes the run's lock only while it adds. Events go to the sink with time,
// rank, attempt and place filled in.
#pragma once

#include "core/base/known.h"
#include "core/follow/line_follower.h"
#include "core/job/job.h"
#include "core/node/protocol/messages.h"
#include "core/parse/log_parser.h"
#include "core/run/history/history.h"
#include "core/run/run.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

namespace rankdeck {

class LogIngest {
public:
    struct Sinks {
        std::function<void(int rank, int attempt, const std::vector<Sample> &, WallTime heard)> samples;
        std::function<void(Event)> event;
        std::function<void(int rank, const LogEvent &, WallTime heard)> logEvent;  // before it becomes an Event
        std::function<void(int attempt)> attemptBegan;
        std::function<std::optional<int>(const std::string &node, int pid)> rankOfPid;
        std::function<std::optional<RankSighting>(int rank)> process;  // process of a rank that is not known to be gone
    };
    LogIngest(const Job &job, Run &run, std::shared_mutex &runMutex, Sinks sinks);
    ~LogIngest();

    // The logs that the job describes; Error invalid on a bad pattern or placeholder.
    Status prepare();
    void restore(const std::vector<LogPosition> &positions);
    // Adds a launcher's output that was found on a node; true if it is new.
    bool addLauncher(const std::string &node, const std::string &path);

    // Tails for the logs of these nodes. Each continues at its last position, even if another node that sees the same
    // file now reads it.
    [[nodiscard]] std::vector<TailSpec> tails(const std::set<std::string> &nodes, const std::vector<int> &onScreen,
                                              bool watched = true) const;
    void chunk(const TailChunk &chunk);
    void event(const TailEvent &event, double clockSkewSeconds = 0);  // of the node
    // Called before a launch: rank → paths that the launch gives it to load; empty: none. It applies to logs that are
    // opened later.
    void expectLoads(std::map<int, std::vector<std::string>> paths);
    void processesListed();  // lines whose process was unknown can perhaps be placed now
    void tick();             // once a second: closes open tracebacks of silent logs
    void ended(int rank);    // its process ended: the end of its log is complete

    struct Backfill {
        int id;
        std::string node;
        RangeRequest range;
    };
    // At most one per log; marks them as requested. Checks only logs that have changed.
    [[nodiscard]] std::vector<Backfill> wantedBackfills();
    void backfilled(int id, int generation, const Result<RangeReply> &reply);
    [[nodiscard]] int generation(int id) const;
    [[nodiscard]] double backfillShare() const;  // part of the old bytes that was read; 1: all

    [[nodiscard]] std::vector<LogPosition> positions() const;
    [[nodiscard]] std::string pathOf(int rank) const;
    [[nodiscard]] std::string problemOf(int rank) const;  // "No such file or directory" …; empty: no problem
    // True if every log has reported at least once whether it exists.
    [[nodiscard]] bool answered() const { return m_unanswered.empty(); }
    [[nodiscard]] bool answered(const std::string &node) const { return m_unanswered.count(node) == 0; }

private:
    struct Log;
    Log *find(int id);
    void addLog(std::unique_ptr<Log> log);
    void heardOf(Log &log);
    void countBytes(Log &log);  // call it when its size, or the part of it that was read, may have changed
    [[nodiscard]] static WallTime lastWritten(const Log &log);
    void line(Log &log, std::string_view text, std::uint64_t offset, Parsed &into);
    void closeBlock(Log &log);  // ends an open traceback
    void deliver(Log &log, Parsed &parsed, bool older);
    void beginAnew(Log &log, bool emptied);
    void restoreExitLines();
    // False: nothing shows yet whether the lines belong to another attempt.
    bool settleAttempt(Log &log, const Parsed &parsed);
    [[nodiscard]] Known isOfSameProcess(const Log &log) const;
    [[nodiscard]] const Log *logOf(int rank) const;  // nullptr: none is known
    [[nodiscard]] int ownerIn(const Log &log, const LineOwner &owner) const;
    [[nodiscard]] std::map<int, std::vector<Sample>> byOwner(const Log &log, const std::vector<Sample> &samples) const;
    void addSamples(const Log &log, int rank, const std::vector<Sample> &samples, bool older);
    void toEvent(Log &log, const LogEvent &event, bool older);
    void tellEpoch(const Log &log, const LogEvent &event);
    void makeParser(Log &log);
    void tellExpected(LogParser &parser, int rank) const;
    bool addLog(const std::string &node, const std::string &path, LogRole role);

    const Job &m_job;
    Run &m_run;
    std::shared_mutex &m_runMutex;
    Sinks m_sinks;
    std::map<int, std::unique_ptr<Log>> m_logs;
    std::map<int, const Log *> m_sharedBy;  // rank → log of another rank into which it writes, as prefixes show
    std::map<std::string, std::vector<Log *>> m_ofNode;  // node → its logs, in the order of m_logs
    std::uint64_t m_workerBytes = 0, m_workerBytesRead = 0;
    std::map<std::string, int> m_unanswered;  // node → its logs that have not reported yet whether they exist
    std::set<int> m_happened;                 // logs with changes since backfills were last requested
    std::set<int> m_held;                     // logs with lines that are not placed yet
    std::map<int, std::vector<std::string>> m_expected;
    std::optional<int> m_launchedOver = {};  // newest attempt at the time of a launch
};

}  // namespace rankdeck
