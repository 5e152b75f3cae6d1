// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/cluster/config_map_client.h"

#include "core/base/deadline.h"
#include "core/base/text.h"
#include "core/job/cluster_node.h"
#include "core/job/container_host.h"
#include "core/node/session/cluster/config_map.h"
#include "core/node/session/cluster/kubectl_get.h"
#include "core/node/session/container/exec_command.h"
#include "core/node/session/container/exec_errors.h"
#include "core/node/session/container/local_files.h"

namespace rankdeck {

namespace {

constexpr double answerSeconds = 15;
constexpr std::chrono::seconds rightsKept(60);

Error kubectlError(const std::string &what, const ShellResult &said)
{
    if (auto error = clusterError(what, said.errors)) {
        if (error->kind == ErrorKind::refused && said.errors.find("orbidden") != std::string::npos)
            error->kind = ErrorKind::permission;
        return *error;
    }
    if (said.errors.find("not found") != std::string::npos && said.exitCode == 127)
        return fail(ErrorKind::unsupported,
                    message("kubectl was not found on the host that should run it: %1. Set kubernetes.kubectl to its "
                            "path, or kubernetes.via to a host that has it.",
                            printable(said.errors)));
    if (said.errors.find("(NotFound)") != std::string::npos)
        return fail(ErrorKind::notFound, message("There is no %1 in the cluster.", what));
    // Only a reason that the server gives is its decision. A broken connection leaves the result of the request
    // unknown.
    const bool decided = said.errors.find("Error from server (") != std::string::npos;
    return fail(decided ? ErrorKind::refused : ErrorKind::unreachable,
                decided ? message("%1: kubectl said: %2", what, printable(said.errors))
                        : message("%1: kubectl said: %2. Cannot tell whether the server has made the change", what,
                                  printable(said.errors)));
}

}  // namespace

ConfigMapClient::ConfigMapClient(const Job &job, const ConnectOptions &options,
                                 std::shared_ptr<SessionFactory> sessions)
    : m_cluster(job.kubernetes), m_kubectl(kubectlWords(job.kubernetes) + " --request-timeout=10s"),
      m_shell(std::move(sessions), kubectlPlace(job), options, [this] { return m_stopping.load(); }),
      m_thread([this] { work(); })
{}

ConfigMapClient::~ConfigMapClient()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
}

void ConfigMapClient::work()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, [this] { return m_stopping || !m_queue.empty(); });
        if (m_queue.empty()) return;
        const auto next = std::move(m_queue.front());
        m_queue.pop_front();
        lock.unlock();
        next();  // returns at once if the client is stopping
        lock.lock();
    }
}

template <class T>
Reply<T> ConfigMapClient::ask(std::function<Result<T>()> question)
{
    auto promise = std::make_shared<std::promise<Result<T>>>();
    Reply<T> reply = promise->get_future();
    {
        const std::lock_guard lock(m_mutex);
        m_queue.emplace_back([this, promise, question = std::move(question)] {
            promise->set_value(m_stopping ? Result<T>(fail(ErrorKind::cancelled, message("Cancelled."))) : question());
        });
    }
    m_wake.notify_all();
    return reply;
}

Result<ConfigMapClient::Place> ConfigMapClient::placeOf(const std::string &path)
{
    const std::vector<std::string> parts = split(path, '/');
    if (parts.size() != 4 || parts[0] != "configmap" || !isNamespaceName(parts[1]) || !isObjectName(parts[2]))
        return fail(ErrorKind::invalid, message("expected configmap/NAMESPACE/NAME/KEY, found %1", printable(path)));
    return Place{.nameSpace = parts[1], .name = parts[2], .key = parts[3]};
}

Result<ShellResult> ConfigMapClient::kubectl(const std::string &words, const std::string &input)
{
    if (Status own = m_cluster.via.empty() ? checkLocalFiles(m_cluster) : Status(Done{}); !own) return own.error();
    return m_shell.run(m_kubectl + " " + words, input, inSeconds(answerSeconds));
}

// Whether this login may write the ConfigMap, as the server reports. Without an answer, only the write itself shows it.
bool ConfigMapClient::mayUpdate(const Place &place)
{
    const SteadyTime now = steadyNow();
    if (!m_mayUpdate.isUnknown() && now < m_mayUpdateUntil) return m_mayUpdate.isYes();
    const auto said = kubectl("auth can-i update configmaps/" + place.name + " --namespace=" + place.nameSpace);
    if (!said || (said->output.find("yes") == std::string::npos && said->output.find("no") == std::string::npos))
        return true;
    m_mayUpdate = said->output.find("yes") != std::string::npos;
    m_mayUpdateUntil = now + rightsKept;
    return m_mayUpdate.isYes();
}

Result<ConfigMapClient::Object> ConfigMapClient::get(const std::string &path)
{
    const auto place = placeOf(path);
    if (!place) return place.error();
    const auto said = kubectl("get --raw /api/v1/namespaces/" + place->nameSpace + "/configmaps/" + place->name);
    if (!said) return said.error();
    const std::string what = "ConfigMap " + place->nameSpace + "/" + place->name;
    if (said->exitCode != 0) return kubectlError(what, *said);
    const auto value = readConfigMapValue(said->output, place->key);
    if (!value) return fail(value.error().kind, what + ": " + value.error().message);
    Object object{.json = said->output, .content = {}};
    object.content.bytes = value->text;
    object.content.sha256 = value->resourceVersion;
    object.content.realPath = path;
    object.content.stat.size = value->text.size();
    object.content.stat.mtimeNs = value->changedNs;
    object.content.fileSystem = "ConfigMap";
    object.content.writable = mayUpdate(*place);
    return object;
}

Result<ReplaceReply> ConfigMapClient::replace(const ReplaceRequest &request)
{
    const auto now = get(request.path);
    if (!now) return now.error();
    if (now->content.sha256 != request.expectedSha256) return ReplaceReply{.replaced = false, .now = now->content};
    const auto place = placeOf(request.path);
    const auto object = withConfigMapValue(now->json, place->key, request.bytes);
    if (!object) return object.error();
    const auto said =
        kubectl("replace --namespace=" + place->nameSpace + " --filename=- --validate=false --output=name", *object);
    if (!said) return said.error();
    if (said->exitCode == 0) return ReplaceReply{.replaced = true, .now = {}};
    if (said->errors.find("(Conflict)") == std::string::npos)
        return kubectlError("ConfigMap " + place->nameSpace + "/" + place->name, *said);
    const auto after = get(request.path);  // another writer was faster
    if (!after) return after.error();
    return ReplaceReply{.replaced = false, .now = after->content};
}

NodeStatus ConfigMapClient::status() const
{
    NodeStatus status;
    status.name = clusterNodeName;
    status.state = NodeState::live;  // always, because every request opens a new connection
    return status;
}

Reply<FileContent> ConfigMapClient::readFile(std::string path, std::uint32_t /*maxBytes*/)
{
    return ask<FileContent>([this, path = std::move(path)]() -> Result<FileContent> {
        auto object = get(path);
        if (!object) return object.error();
        return std::move(object->content);
    });
}

Reply<ReplaceReply> ConfigMapClient::replaceFile(ReplaceRequest request)
{
    return ask<ReplaceReply>([this, request = std::move(request)] { return replace(request); });
}

}  // namespace rankdeck
