// SPDX-License-Identifier: GPL-3.0-or-later
// A ConfigMap as what the acts know: a "file" that is read, and replaced by compare-and-swap. kubectl does it, here or on the
// host that has it, on a thread of this object's own; FileContent::sha256 is the resourceVersion, so that the API server
// itself refuses a write over another's change. Everything else that is asked of a node is Error unsupported.
// Errors of the two: notFound (no such ConfigMap or key), permission (the role does not let us), invalid, unreachable and
// timeout (the API server is away; after a write it is not known whether it was done).
#pragma once

#include "core/base/known.h"
#include "core/node/node.h"
#include "core/node/session/cluster/shell_runner.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace rankdeck {

// path: "configmap/NAMESPACE/NAME/KEY".
class ConfigMapClient final : public NodeClient {
public:
    // By the job's key kubernetes; its host `via` is reached as the nodes behind it are.
    ConfigMapClient(const Job &job, const ConnectOptions &options, std::shared_ptr<SessionFactory> sessions);
    ~ConfigMapClient() override;  // ends what runs
    ConfigMapClient(const ConfigMapClient &) = delete;
    ConfigMapClient &operator=(const ConfigMapClient &) = delete;

    [[nodiscard]] NodeStatus status() const override;
    Reply<FileContent> readFile(std::string path, std::uint32_t maxBytes) override;
    Reply<ReplaceReply> replaceFile(ReplaceRequest request) override;

    Reply<Listing> list(ListRequest request) override;
    Reply<std::vector<RangeReply>> read(std::vector<RangeRequest> ranges) override;
    Reply<std::vector<ScanReply>> scanRecords(std::vector<ScanRequest> files) override;
    Reply<std::vector<DiskSpace>> diskSpace(std::vector<std::string> directories) override;
    Reply<Done> applyFileStep(FileActionRequest request) override;
    Reply<Done> append(AppendRequest request) override;
    Reply<HashReply> hash(HashRequest request) override;
    Reply<std::vector<ProcessInfo>> processes(std::vector<std::string> envNames) override;
    Reply<ProcessList> findProcesses(ProcessQuery query) override;
    Reply<SignalReply> signal(SignalRequest request) override;
    Reply<LaunchReply> launch(LaunchRequest request) override;
    Reply<LaunchReply> launchStatus(std::string id, std::string runDirectory) override;
    Reply<JobHolder> jobHolder(JobClaim job, std::string runDirectory) override;
    Reply<Done> reserveJob(JobClaim job, std::string runDirectory) override;
    Reply<Done> releaseJob(JobClaim job, std::string runDirectory) override;
    Reply<LogoutRule> logoutRule() override;

private:
    struct Place {
        std::string nameSpace, name, key;
    };
    struct Object {
        std::string json;
        FileContent content;
    };
    static Result<Place> placeOf(const std::string &path);
    template <class T>
    Reply<T> ask(std::function<Result<T>()> work);
    Result<ShellResult> kubectl(const std::string &words, const std::string &input = {});
    Result<Object> get(const std::string &path);
    Result<ReplaceReply> replace(const ReplaceRequest &request);
    bool mayUpdate(const Place &place);
    void work();

    const KubernetesSpec m_cluster;
    const std::string m_kubectl;  // its words
    ShellRunner m_shell;          // the thread's own
    Known m_mayUpdate = {};
    SteadyTime m_mayUpdateUntil = {};

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_queue;
    std::atomic<bool> m_stopping = false;
    std::thread m_thread;
};

}  // namespace rankdeck
