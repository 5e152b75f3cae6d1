// SPDX-License-Identifier: GPL-3.0-or-later
// Search for running jobs on a list of hosts. Each host is connected read-only, scanned as soon as it is live, and
// scanned again every ten seconds. After each scan the results of all hosts are combined again. A host that is slow,
// down or refused does not delay the others. Any thread may call. Nothing here blocks except the destructor, which
// waits for open requests (15 s at most). `changed` is called on the session's own thread: post and return.
#pragma once

#include "core/base/message.h"
#include "core/discover/discover.h"
#include "core/engine/discovery/job_check.h"
#include "core/node/connected_node.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct HostScan {
    std::string host;            // as it was given
    NodeStatus node = {};        // its reason says why the host cannot be asked, and what to do
    std::string reachedAs = {};  // "lin@10.20.4.11 via bastion"; empty: unknown so far
    bool scanned = false;        // its processes are known
    std::size_t ranks = 0;       // number of ranks that run there
    std::vector<ProcessInfo> unreadable = {};
    Message problem = {};  // of the last scan
};
struct JobScan {
    DiscoveredJob found;
    std::size_t id = 0;  // stays the same for one run, even if further hosts join it
    // True if the files of the job were read. Before that, found.job has neither checkpoints nor config.
    bool looked = false;
    std::size_t joining = 0;  // ranks found since then whose files were not read yet: `found` does not include them
    std::optional<LogScan> logs = {};
    std::optional<CheckpointScan> checkpoints = {};
};
// A job that has ended, judged by the files on those of its hosts that were scanned.
struct EndedJobScan {
    Job job;
    bool looked = false;  // otherwise nothing below is known yet
    LogScan logs = {};
    CheckpointScan checkpoints = {};
};
// Results for the job file that is being edited.
struct CheckScan {
    std::size_t id = 0;  // as requested
    std::vector<JobCheck> checks = {};
};
struct DiscoveryPicture {
    std::vector<HostScan> hosts = {};      // in the order they were added
    std::vector<JobScan> jobs = {};        // in the order they were found; names differ
    std::vector<EndedJobScan> ended = {};  // in the order of setPast; no process of them runs
    std::optional<CheckScan> check = {};   // empty: not requested, or nothing is known yet
};

struct DiscoverySetup {
    ConnectOptions connect = {};
    std::shared_ptr<SessionFactory> sessions = {};  // empty: the real one
    std::shared_ptr<const LinkTiming> timing = {};
};

class DiscoverySession {
public:
    DiscoverySession(DiscoverySetup setup, std::function<void()> changed);
    ~DiscoverySession();
    DiscoverySession(const DiscoverySession &) = delete;
    DiscoverySession &operator=(const DiscoverySession &) = delete;

    void add(const std::string &host);  // no effect if it was added before
    void remove(const std::string &host);
    // Sets jobs of earlier searches, at most mostPast. If all hosts of such a job are scanned and it does not run, its
    // logs and checkpoints are read once. The same is done for a job that ends during the search.
    static constexpr std::size_t mostPast = 20;
    void setPast(std::vector<Job> jobs);
    // Checks whether the files and hosts that a job file names exist, on those of its hosts that are scanned. The check
    // runs now, whenever one of these hosts is added or removed, and every ten seconds, until another check or none is
    // requested. The result has this id.
    void check(std::size_t id, Job job);
    void checkNothing();
    void answer(const std::string &host, Answer answer);
    void retryNow(const std::string &host);
    [[nodiscard]] std::shared_ptr<const DiscoveryPicture> picture() const;  // never null

    // For EngineOptions: the connections to the job's hosts, by the names of its nodes, and the factory for all other
    // connections.
    [[nodiscard]] std::map<std::string, std::shared_ptr<ConnectedNode>> nodesFor(const Job &job) const;
    [[nodiscard]] std::shared_ptr<SessionFactory> sessions() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
