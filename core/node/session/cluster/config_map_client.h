// SPDX-License-Identifier: GPL-3.0-or-later
// A ConfigMap as a "file" for actions, which is read and replaced by compare-and-swap. It uses kubectl, on this machine
// or on the host that has it, on its own thread. FileContent::sha256 is the resourceVersion, so that the API server
// itself refuses to overwrite another writer's change. Errors: notFound (no such ConfigMap or key), permission (the
// role does not allow it), invalid. Also unreachable and timeout if the API server does not answer; after a write, the
// result is then unknown.
#pragma once

#include "core/base/known.h"
#include "core/node/file_store.h"
#include "core/node/session/cluster/shell_runner.h"
#include "core/node/transport/connect_options.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace rankdeck {

// path: "configmap/NAMESPACE/NAME/KEY".
class ConfigMapClient final : public FileStore {
public:
    // Uses the job's key `kubernetes`. Its host `via` is reached in the same way as the nodes behind it.
    ConfigMapClient(const Job &job, const ConnectOptions &options, std::shared_ptr<SessionFactory> sessions);
    ~ConfigMapClient() override;  // ends a running request
    ConfigMapClient(const ConfigMapClient &) = delete;
    ConfigMapClient &operator=(const ConfigMapClient &) = delete;

    [[nodiscard]] NodeStatus status() const override;
    Reply<FileContent> readFile(std::string path, std::uint32_t maxBytes) override;
    Reply<ReplaceReply> replaceFile(ReplaceRequest request) override;

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
    const std::string m_kubectl;  // kubectl with its options, quoted for the shell
    ShellRunner m_shell;          // used only by the thread
    Known m_mayUpdate = {};
    SteadyTime m_mayUpdateUntil = {};

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_queue;
    std::atomic<bool> m_stopping = false;
    std::thread m_thread;
};

}  // namespace rankdeck
