// SPDX-License-Identifier: GPL-3.0-or-later
// Internals of DiscoverySession. One thread owns hosts and jobs. Calls, node states and answers reach it through the
// data that m_mutex guards. Scans and other reads run on separate threads and keep the nodes that they ask alive.
#pragma once

#include "core/checkpoint/survey/survey.h"
#include "core/engine/discovery/discovery_session.h"
#include "core/engine/discovery/has_ended.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace rankdeck {

class DiscoverySession::Impl final : public NodeListener {
public:
    Impl(DiscoverySetup setup, std::function<void()> changed);
    ~Impl() override;

    void post(std::function<void()> call);
    void add(const std::string &host);
    void remove(const std::string &host);
    void addPast(const Job &job);
    void check(std::size_t id, std::optional<Job> job);
    [[nodiscard]] std::shared_ptr<ConnectedNode> connected(const std::string &host) const;  // any thread

    // NodeListener: called on the threads of the nodes
    void nodeStatus(const std::string &host, const NodeStatus &status) override;
    void tailChunk(const std::string &, TailChunk) override {}
    void tailEvent(const std::string &, TailEvent) override {}
    void directory(const std::string &, int, Listing) override {}
    void processes(const std::string &, ProcessList) override {}

    DiscoverySetup m_setup;
    mutable std::mutex m_mutex;  // guards the next five members
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_calls;
    std::map<std::string, std::shared_ptr<ConnectedNode>> m_nodes;  // by host
    std::shared_ptr<const DiscoveryPicture> m_picture = std::make_shared<const DiscoveryPicture>();
    bool m_stop = false;

private:
    struct Host {
        HostScan look;
        std::optional<HostTraces> traces = {};
        std::future<Result<HostTraces>> scan = {};
        SteadyTime nextScan = {};
    };
    using Traces = std::shared_ptr<const std::vector<HostTraces>>;
    // Data of one search, kept alive as long as it runs.
    struct Asked {
        FoundJob job;
        Traces traces;
        std::vector<std::shared_ptr<ConnectedNode>> nodes;  // parallel to the traces; empty: of another job
        std::shared_ptr<Survey> survey;
        std::shared_ptr<std::atomic<bool>> over = std::make_shared<std::atomic<bool>>(false);
        [[nodiscard]] NodeByName byName() const;  // keeps the nodes alive
    };
    struct Entry {
        std::string key;  // identifies its processes
        Asked asked;
        JobScan look;
        std::string name;
        std::optional<JobEvidence> evidence = {};
        std::future<void> looking = {};
        SteadyTime lookAt = {};
    };

    // A job that was found earlier and may no longer run.
    struct Past {
        EndedJobScan look;
        std::future<void> looking = {};
    };

    void run();
    bool turn();  // true: something has changed
    void startScans(SteadyTime now);
    bool takeScans(SteadyTime now);
    void regroup();
    void startLooks(SteadyTime now);
    void look(const Asked &asked, std::size_t id, std::string name);
    void publish();
    // -- defined in past_jobs.cpp
    void startPastLooks();
    void scanPastJobs(const Job &job, const std::map<std::string, std::shared_ptr<ConnectedNode>> &nodes);
    [[nodiscard]] std::vector<EndedJobScan> endedJobScans() const;
    [[nodiscard]] Running running() const;
    // -- defined in check_job.cpp
    bool takeCheck();  // true: something has changed
    void startCheck(SteadyTime now);
    void nameReached();
    [[nodiscard]] bool scanning() const;
    Entry *entryOf(std::size_t id);
    using Entries = std::vector<std::unique_ptr<Entry>>;
    void addJob(FoundJob job, const Traces &traces, const std::vector<std::shared_ptr<ConnectedNode>> &nodes,
                Entries &before);
    [[nodiscard]] std::string freeName(const std::string &wanted, const Entries &before) const;
    void retire(std::unique_ptr<Entry> entry);
    [[nodiscard]] Host *hostOf(const std::string &host);

    std::function<void()> m_changed;
    std::atomic<bool> m_ends = false;  // makes the futures below end early
    std::vector<std::unique_ptr<Host>> m_hosts;
    Entries m_jobs;
    std::vector<std::unique_ptr<Past>> m_past;
    std::optional<Job> m_checked;  // the job file that is being edited
    std::optional<CheckScan> m_check;
    std::size_t m_checkId = 0;
    std::future<std::vector<JobCheck>> m_checking;
    std::size_t m_checkingId = 0;
    std::string m_checkedOn;  // nodes of that job that were live then
    SteadyTime m_checkAt;
    std::vector<std::future<void>> m_left;                        // unfinished work for hosts or jobs that were removed
    std::future<std::pair<std::string, std::string>> m_reaching;  // host, and the address by which it is reached
    std::size_t m_nextId = 1;
    std::thread m_thread;
};

}  // namespace rankdeck
