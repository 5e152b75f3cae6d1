// SPDX-License-Identifier: GPL-3.0-or-later
// One machine. NodeClient is its interface for requests. Node is the real one: it owns one thread, which connects,
// streams the probe, speaks the protocol and detects silence. It reconnects with full-jitter back-off. Each request
// answers through a future, at once with Error unreachable while the node is not live. Requests are never repeated
// automatically. NodeListener is called on the node's thread and must not block.
#pragma once

#include "core/job/job.h"
#include "core/node/file_store.h"
#include "core/node/transport/connect_options.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

class NodeClient : public FileStore {
public:
    virtual Reply<Listing> list(ListRequest request) = 0;
    virtual Reply<std::vector<RangeReply>> read(std::vector<RangeRequest> ranges) = 0;  // one round trip
    virtual Reply<std::vector<ScanReply>> scanRecords(std::vector<ScanRequest> files) = 0;
    virtual Reply<std::vector<DiskSpace>> diskSpace(std::vector<std::string> directories) = 0;  // in the order asked
    virtual Reply<Done> applyFileStep(FileActionRequest request) = 0;
    virtual Reply<Done> append(AppendRequest request) = 0;
    virtual Reply<HashReply> hash(HashRequest request) = 0;
    // Processes that have one of these variables in their environment. Without names: all processes except kernel
    // threads and probes.
    virtual Reply<std::vector<ProcessInfo>> processes(std::vector<std::string> envNames) = 0;
    virtual Reply<ProcessList> findProcesses(ProcessQuery query) = 0;
    virtual Reply<SignalReply> signal(SignalRequest request) = 0;
    virtual Reply<LaunchReply> launch(LaunchRequest request) = 0;
    // State of a launch; LaunchReply::startedNow is false. Error notFound: no launch with this id has started there.
    // Error timeout: it is just being started.
    virtual Reply<LaunchReply> launchStatus(std::string id, std::string runDirectory) = 0;
    // The same, but notFound is final. If the launch has not begun yet, it never will, even if its request or
    // supervisor is still on the way.
    virtual Reply<LaunchReply> callOffLaunch(std::string id, std::string runDirectory) = 0;
    // The action that holds the job in that run directory, so that a launch by another action would be refused. See
    // JobClaim.
    virtual Reply<JobHolder> jobHolder(JobClaim job, std::string runDirectory) = 0;
    // Reserves a job for an action before it launches anything: like a JobClaim, but the node releases it when this
    // link ends. The launches of that action take the reservation over. A second call by the same action changes
    // nothing.
    virtual Reply<Done> reserveJob(JobClaim job, std::string runDirectory) = 0;
    virtual Reply<Done> releaseJob(JobClaim job, std::string runDirectory) = 0;  // the claims of launches stay
    virtual Reply<LogoutRule> logoutRule() = 0;
};

class NodeListener {
public:
    virtual ~NodeListener() = default;
    virtual void nodeStatus(const std::string &node, const NodeStatus &status) = 0;
    virtual void tailChunk(const std::string &node, TailChunk chunk) = 0;
    virtual void tailEvent(const std::string &node, TailEvent event) = 0;
    virtual void directory(const std::string &node, int id, Listing listing) = 0;  // the whole listing, at each change
    // The directory was checked again at that time (by the node's clock) and has not changed since the last report.
    virtual void directoryUnchanged(const std::string & /*node*/, int /*id*/, std::int64_t /*asOfNs*/) {}
    virtual void processes(const std::string &node, ProcessList list) = 0;  // the whole list, every 2 s
};

struct LinkTiming;     // core/node/protocol/node_link.h
class SessionFactory;  // core/node/transport/session_factory.h

class Node final : public NodeClient {
public:
    Node(NodeSpec spec, ConnectOptions options, std::shared_ptr<SessionFactory> sessions, NodeListener &listener);
    ~Node() override;  // stops and joins the thread; no listener call afterwards
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;

    void start();
    void start(const LinkTiming &timing);  // with other heartbeats and leases than 5, 10, 20 and 60 s
    void watch(WatchSpec spec);            // kept over reconnects: tails continue after their last chunk
    void answer(Answer answer);            // to NodeStatus::hostKey or auth
    void retryNow();

    [[nodiscard]] NodeStatus status() const override;
    Reply<Listing> list(ListRequest request) override;
    Reply<std::vector<RangeReply>> read(std::vector<RangeRequest> ranges) override;
    Reply<std::vector<ScanReply>> scanRecords(std::vector<ScanRequest> files) override;
    Reply<FileContent> readFile(std::string path, std::uint32_t maxBytes) override;
    Reply<ReplaceReply> replaceFile(ReplaceRequest request) override;
    Reply<std::vector<DiskSpace>> diskSpace(std::vector<std::string> directories) override;
    Reply<Done> applyFileStep(FileActionRequest request) override;
    Reply<Done> append(AppendRequest request) override;
    Reply<HashReply> hash(HashRequest request) override;
    Reply<std::vector<ProcessInfo>> processes(std::vector<std::string> envNames) override;
    Reply<ProcessList> findProcesses(ProcessQuery query) override;
    Reply<SignalReply> signal(SignalRequest request) override;
    Reply<LaunchReply> launch(LaunchRequest request) override;
    Reply<LaunchReply> launchStatus(std::string id, std::string runDirectory) override;
    Reply<LaunchReply> callOffLaunch(std::string id, std::string runDirectory) override;
    Reply<JobHolder> jobHolder(JobClaim job, std::string runDirectory) override;
    Reply<Done> reserveJob(JobClaim job, std::string runDirectory) override;
    Reply<Done> releaseJob(JobClaim job, std::string runDirectory) override;
    Reply<LogoutRule> logoutRule() override;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace rankdeck
