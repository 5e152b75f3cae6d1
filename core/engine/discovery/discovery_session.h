// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts that are looked at for running jobs, as they are named and taken away: each is connected, read-only, scanned as
// soon as it is live and again every ten seconds, and what is known of all of them is put together anew. A host that is
// slow, down or refused keeps none of the others waiting. Any thread may call; nothing here blocks but the destructor, which
// waits for questions that are on their way (15 s at most). `changed` is called on the session's own thread: post and return.
#pragma once

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

struct HostLook {
    std::string host;            // as it was given
    NodeStatus node = {};        // its reason says why it cannot be asked, and what to do
    std::string reachedAs = {};  // "lin@10.20.4.11 via bastion"; empty: not known (yet)
    bool scanned = false;        // its processes are known
    std::size_t ranks = 0;       // that run there
    std::vector<ProcessInfo> unreadable = {};
    std::string problem = {};  // of the last scan
};
struct JobLook {
    DiscoveredJob found;
    std::size_t id = 0;       // stays while it is the same run, whatever hosts join it
    bool looked = false;      // the files around it are known; before, found.job has neither checkpoints nor config
    std::size_t joining = 0;  // ranks that were found since, whose files are not known yet: found is without them
    std::optional<LogLook> logs = {};
    std::optional<CheckpointLook> checkpoints = {};
};
// A job that runs no more, by what lies on the disks of those of its hosts that are looked at.
struct EndedLook {
    Job job;
    bool looked = false;  // else nothing below is known yet
    LogLook logs = {};
    CheckpointLook checkpoints = {};
};
// What was found of the job file that is being edited.
struct CheckLook {
    std::size_t id = 0;  // as it was asked
    std::vector<JobCheck> checks = {};
};
struct DiscoveryPicture {
    std::vector<HostLook> hosts = {};     // in the order they were added
    std::vector<JobLook> jobs = {};       // in the order they were found; names differ
    std::vector<EndedLook> ended = {};    // in the order in which they were told; none of which a process runs
    std::optional<CheckLook> check = {};  // empty: nothing was asked, or nothing is known yet
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

    void add(const std::string &host);  // again: nothing changes
    void remove(const std::string &host);
    // Jobs of earlier looks, at most mostPast of them: where all hosts of theirs are looked at and none of them runs, their
    // logs and checkpoints are, once. A job that ends meanwhile is looked at in the same way.
    static constexpr std::size_t mostPast = 20;
    void setPast(std::vector<Job> jobs);
    // Looks whether what a job file names is there, on those of its hosts that are looked at: now, whenever one of them comes
    // or goes, and every ten seconds, until another or none is asked for. id: its picture's.
    void check(std::size_t id, Job job);
    void checkNothing();
    void answer(const std::string &host, Answer answer);
    void retryNow(const std::string &host);
    [[nodiscard]] std::shared_ptr<const DiscoveryPicture> picture() const;  // never null

    // For EngineOptions: the connections to the job's hosts, by the names of its nodes, and what opens the others.
    [[nodiscard]] std::map<std::string, std::shared_ptr<ConnectedNode>> nodesFor(const Job &job) const;
    [[nodiscard]] std::shared_ptr<SessionFactory> sessions() const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
