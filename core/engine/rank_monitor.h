// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of each rank besides its losses: its process, whether it lives, what its log said about an exit or a
// load. Notices when a rank dies while others go on. Engine thread.
#pragma once

#include "core/job/job.h"
#include "core/node/protocol/messages.h"
#include "core/recover/actions.h"
#include "core/run/run.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

class RankMonitor {
public:
    using EventSink = std::function<void(Event)>;
    RankMonitor(const Job &job, EventSink sink);

    void processes(const NodeSpec &node, const std::vector<ProcessInfo> &processes);
    void logEvent(int rank, const LogEvent &event);
    void attemptBegan(int attempt);  // what the log said before is of the attempt before
    void samplesCame(int rank);
    void tick();  // tells deaths that are certain now
    [[nodiscard]] std::optional<int> rankOfPid(const std::string &node, int pid) const;
    // Everything but progress, log path and first sample.
    void fill(RankState &state) const;
    [[nodiscard]] bool anyAlive() const;
    // Whether somebody may be saving: a rank lives, or a relaunch is so young that its processes are not seen yet.
    [[nodiscard]] bool running() const;
    [[nodiscard]] std::optional<WallTime> oldestStart() const;  // of the processes that live

private:
    struct Rank {
        std::optional<ProcessInfo> process = {};
        std::optional<bool> alive = {};
        std::optional<SteadyTime> gone = {};  // seen, then vanished; told as a death after a moment
        bool died = false;
        bool graceful = false;
        std::optional<WallTime> gracefulAt = {};
        std::optional<LogEvent> resumed = {};
        std::optional<int> exitCode = {};
        SteadyTime sampled = {};
    };
    const Job &m_job;
    EventSink m_sink;
    std::map<int, Rank> m_ranks;
    std::map<std::pair<std::string, int>, int> m_pids;  // also of those that are gone
    int m_attempt = 0;
    std::optional<SteadyTime> m_relaunched = {};
};

}  // namespace rankdeck
